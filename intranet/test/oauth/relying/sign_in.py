"""Signs somebody in with Authlib: prints where the browser goes, reads where it came back to, prints what it found."""

import json
import sys

from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import JsonWebKey, JsonWebToken
from authlib.oidc.core import CodeIDToken
from authlib.oidc.discovery import OpenIDProviderMetadata, get_well_known_url

wanted = json.loads(sys.argv[1])
session = OAuth2Session(
    wanted["client_id"],
    wanted["client_secret"],
    redirect_uri=wanted["redirect_uri"],
    scope="openid profile email groups",
    code_challenge_method="S256",
    token_endpoint_auth_method=wanted["method"],
)


def read(address: str):
    answer = session.get(address, withhold_token=True)
    answer.raise_for_status()
    return answer.json()


provider = OpenIDProviderMetadata(read(get_well_known_url(wanted["issuer"], external=True)))
provider.validate()
nonce, verifier = generate_token(), generate_token(48)
address, state = session.create_authorization_url(provider["authorization_endpoint"], nonce=nonce, code_verifier=verifier)
print(address, flush=True)

back = sys.stdin.readline().strip()
token = session.fetch_token(
    provider["token_endpoint"], authorization_response=back, state=state, code_verifier=verifier
)
keys = JsonWebKey.import_key_set(read(provider["jwks_uri"]))


def verify(audience: str, expected: str):
    claims = JsonWebToken([wanted["algorithm"]]).decode(
        token["id_token"],
        keys,
        claims_cls=CodeIDToken,
        claims_options={"iss": {"essential": True, "value": wanted["issuer"]}, "aud": {"essential": True, "value": audience}},
        claims_params={"nonce": expected, "client_id": audience, "access_token": token["access_token"]},
    )
    claims.validate(leeway=10)
    return claims


def refusal(*wrong: str):
    try:
        verify(*wrong)
    except Exception as error:
        return type(error).__name__
    return None


claims = verify(wanted["client_id"], nonce)
userinfo = session.get(provider["userinfo_endpoint"]).json()
refreshed = session.refresh_token(provider["token_endpoint"])
session.revoke_token(provider["revocation_endpoint"], token=refreshed["refresh_token"])
ended = session.get(provider["userinfo_endpoint"]).status_code
print(
    json.dumps(
        {
            "header": claims.header,
            "claims": claims,
            "userinfo": userinfo,
            "refreshed": "id_token" in refreshed,
            "ended": ended,
            "refusals": [refusal("another", nonce), refusal(wanted["client_id"], "another")],
        }
    )
)
