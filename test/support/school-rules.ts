/**
 * An invariant of a school's data in words, and a statement that selects the rows that break it. `now` is a column of
 * `clock`.
 */
export type SchoolRule = readonly [says: string, offenders: string]

const POINTS_OF_LEVELS = `select cursus_id, lvl, xp,
  lead(xp) over (partition by cursus_id order by lvl) as next from levels`
/** The level that these points make, with the part of the next one that is done in hundredths. */
const levelOf = (cursus: string, points: string) => `(
  select round((l.lvl + coalesce((${points} - l.xp)::numeric / (l.next - l.xp), 0)), 2) from (${POINTS_OF_LEVELS}) l
  where l.cursus_id = ${cursus} and l.xp <= ${points} order by l.lvl desc limit 1)`

const PEOPLE: readonly SchoolRule[] = [
  [
    'everybody has one primary campus',
    'select u.id from users u where (select count(*) from campus_users m where m.user_id = u.id and is_primary) <> 1',
  ],
  [
    'everybody is written to at their primary campus',
    `select u.id, u.email from users u join campus_users m on m.user_id = u.id and m.is_primary join campus c on c.id = m.campus_id
     where split_part(u.email, '@', 2) not in (c.email_extension, 'student.' || c.email_extension)`,
  ],
  [
    'who was in an entry pool has its year and month, and nobody else',
    `select u.id from users u left join cursus_users e on e.user_id = u.id and e.cursus_id = (select id from cursus where kind = 'piscine')
     where (u.pool_year, u.pool_month) is distinct from
       (to_char(e.begin_at, 'YYYY'), trim(to_char(e.begin_at, 'month')))`,
  ],
  [
    'every course begins before it ends',
    'select id from cursus_users where end_at <= begin_at or begin_at < created_at',
  ],
  [
    'who was absorbed by the black hole left then, and whom it waits for is still there',
    `select c.id from cursus_users c, clock where (blackholed_at <= now and end_at is distinct from blackholed_at)
       or (blackholed_at > now and end_at is not null)`,
  ],
  [
    'alumni have left the main course, and were not absorbed',
    `select u.id from users u where alumnized_at is not null and not exists (
       select from cursus_users c join cursus k on k.id = c.cursus_id and k.kind = 'main'
       where c.user_id = u.id and c.end_at = u.alumnized_at and c.blackholed_at is null)`,
  ],
  [
    'alumni have validated the last project of the common core, and all that builds up to it',
    `select u.id, p.slug from users u, projects p where u.alumnized_at is not null
       and p.position <= (select position from projects where slug in ('grand-arena', 'ft_transcendence'))
       and p.slug in (select v.value from params_project_sessions_rules v
         join project_sessions_rules r on r.id = v.project_sessions_rule_id
         join project_sessions s on s.id = r.project_session_id join cursus k on k.id = s.cursus_id and k.kind = 'main')
       and not exists (select from projects_users d where d.user_id = u.id and d.project_id = p.id and d.validated)`,
  ],
  [
    'nobody acted before they had an account, and nobody was seen before it or after now',
    `select u.id from users u, clock where u.last_seen_at not between u.created_at and now or u.updated_at not between u.created_at and now`,
  ],
  [
    'whoever is closed has a close that stands since then, and nobody else',
    `select u.id from users u left join (
       select user_id, min(created_at) as since from closes where state = 'close' group by 1) c on c.user_id = u.id
     where u.closed_at is distinct from c.since`,
  ],
  [
    'a close has an end where hours of work end it, and is lifted by somebody of the campus',
    `select c.id from closes c, clock where (c.state = 'unclose' and c.end_at > now)
       or not exists (select from campus_users a join campus_users b using (campus_id) join users s on s.id = b.user_id and s.kind = 'admin'
         where a.user_id = c.user_id and b.user_id = c.closer_id) and c.closer_id is not null`,
  ],
  [
    'whoever is closed has done nothing since',
    `select u.id, did.what from users u join lateral (
       select 'sat' as what from locations l where l.user_id = u.id and coalesce(l.end_at, 'infinity') > u.closed_at
       union all select 'was seen' where u.last_seen_at > u.closed_at
       union all select 'wrote' from messages m where m.author_id = u.id and m.created_at > u.closed_at
       union all select 'offers time' from slots s where s.user_id = u.id and s.end_at > u.closed_at
       union all select 'evaluates' from scale_teams t where t.user_id = u.id and coalesce(t.filled_at, t.begin_at) > u.closed_at
       union all select 'is evaluated' from scale_teams t join teams_users m on m.team_id = t.team_id
         where m.user_id = u.id and coalesce(t.filled_at, t.begin_at) > u.closed_at
       union all select 'subscribed' from events_users e where e.user_id = u.id and e.created_at > u.closed_at
       union all select 'registered' from exams_users e where e.user_id = u.id and e.created_at > u.closed_at
       union all select 'ordered' from commands c where c.user_id = u.id and c.created_at > u.closed_at
     ) did on true where u.closed_at is not null`,
  ],
]

const WORK: readonly SchoolRule[] = [
  [
    'a team is of people who have its project in a course of theirs, and of one campus',
    `select t.id from teams t join teams_users m on m.team_id = t.id where not exists (
       select from cursus_users c join project_sessions s on s.id = t.project_session_id and s.cursus_id = c.cursus_id
       where c.user_id = m.user_id and c.begin_at <= t.created_at and coalesce(c.end_at, 'infinity') >= t.updated_at)
     union all
     select m.team_id from teams_users m join campus_users c on c.user_id = m.user_id and c.is_primary
     group by 1 having count(distinct c.campus_id) > 1`,
  ],
  [
    'whoever was taken on into the main course has validated a project of the entry pool',
    `select c.user_id from cursus_users c join cursus k on k.id = c.cursus_id and k.kind = 'main' where not exists (
       select from projects_users p join projects_cursus o on o.project_id = p.project_id join cursus e on e.id = o.cursus_id and e.kind = 'piscine'
       where p.user_id = c.user_id and p.validated and p.marked_at < c.begin_at)`,
  ],
  [
    'a team is made, locked, closed and marked in that order',
    `select t.id from teams t left join lateral (select max(marked_at) as at from projects_users where current_team_id = t.id) marked on true
     where locked_at < created_at or closed_at < locked_at or marked.at < closed_at
       or (closed_at is not null and locked_at is null) or (final_mark is not null and closed_at is null)`,
  ],
  [
    'what is validated was done by a team that closed with that mark and the evaluations for it, or in parts',
    `select p.id from projects_users p left join teams t on t.id = p.current_team_id left join project_sessions s on s.id = t.project_session_id
     where p.validated and (case when p.status = 'parent' then exists (
         select from projects part where part.parent_id = p.project_id and not exists (
           select from projects_users d where d.user_id = p.user_id and d.project_id = part.id and d.validated))
       else t.closed_at is null or t.final_mark is distinct from p.final_mark or p.final_mark < s.minimum_mark
         or not exists (select from scale_teams e where e.team_id = t.id and e.filled_at = p.marked_at) end)`,
  ],
  [
    'the mark of a team is that of its evaluations',
    `select t.id from teams t join (
       select s.team_id, round(avg(case when f.positive then s.final_mark else 0 end)) as mark from scale_teams s
       join flags f on f.id = s.flag_id where s.filled_at is not null and s.truant_id is null group by 1) e on e.team_id = t.id
     where t.final_mark <> e.mark`,
  ],
  [
    'a team waits for no more evaluations than it needs',
    `select t.id from teams t join evaluations e on e.project_session_id = t.project_session_id join scales c on c.evaluation_id = e.id
     where (select count(*) from scale_teams s where s.team_id = t.id and s.truant_id is null) > c.correction_number`,
  ],
  [
    'nobody evaluates a team of their own',
    'select s.id from scale_teams s join teams_users m on m.team_id = s.team_id and m.user_id = s.user_id',
  ],
  [
    'whoever evaluates is of the campus of the team, and there at the time',
    `select s.id from scale_teams s join users u on u.id = s.user_id where not exists (
       select from teams_users t join campus_users a on a.user_id = t.user_id join campus_users b using (campus_id)
       where t.team_id = s.team_id and b.user_id = s.user_id) and u.kind <> 'admin'
     union all
     select s.id from scale_teams s join users u on u.id = s.user_id and u.kind = 'student' where not exists (
       select from cursus_users c join cursus k on k.id = c.cursus_id and k.kind = 'main'
       where c.user_id = u.id and c.begin_at <= s.begin_at and coalesce(c.end_at, 'infinity') > s.begin_at)`,
  ],
  [
    'an evaluation is booked, takes place and is filled in that order; past ones are filled, and those to come are not',
    `select s.id from scale_teams s join teams t on t.id = s.team_id, clock where s.created_at < t.closed_at or t.closed_at is null
       or s.begin_at < s.created_at or s.filled_at < s.begin_at or s.filled_at > now or (s.filled_at is null) <> (s.begin_at > now)`,
  ],
  [
    'nobody has two evaluations at a time, as one or the other side',
    `with sides as (
       select s.id, s.user_id as person, s.begin_at from scale_teams s
       union all select s.id, m.user_id, s.begin_at from scale_teams s join teams_users m on m.team_id = s.team_id)
     select a.id from sides a join sides b on b.person = a.person and b.id > a.id, clock
     where a.begin_at > now and b.begin_at > now and abs(extract(epoch from a.begin_at - b.begin_at)) < 1800`,
  ],
  [
    'what is said of an evaluation matches its mark',
    `select s.id, s.final_mark, s.comment from scale_teams s join flags f on f.id = s.flag_id
     where (s.comment ~ '(crash|missing|compile|Nobody)') <> (s.final_mark < 80)
       or (not f.positive and s.final_mark > 0) or (s.filled_at is null) <> (s.comment is null) and s.truant_id is null`,
  ],
  [
    'what the corrected say fits the stars that they give',
    `select f.id from feedbacks f where f.scale_team_id is not null and ((f.rating < 4) <> (f.comment ~* '(quick|late)'))
     union all
     select f.id from feedbacks f where f.event_id is not null and ((f.rating < 4) <> (f.comment ~* '(more examples|loud|too short)'))`,
  ],
  [
    'feedback is given after the evaluation by somebody of its team',
    `select f.id from feedbacks f join scale_teams s on s.id = f.scale_team_id, clock
     where f.created_at < s.filled_at or f.created_at > now
       or not exists (select from teams_users m where m.team_id = s.team_id and m.user_id = f.user_id)`,
  ],
  [
    'what robots say of the work matches what they give',
    `select id from teams_uploads where (final_mark = 0) <> (comment ~ 'KO')`,
  ],
  [
    'time that is offered is free, or is that of an evaluation by the same person',
    `select l.id from slots l left join scale_teams s on s.id = l.scale_team_id, clock
     where (l.scale_team_id is not null and (s.user_id is distinct from l.user_id or l.begin_at < s.begin_at
         or l.end_at > s.begin_at + interval '1 hour'))
       or (l.scale_team_id is null and l.begin_at < now) or l.end_at <= l.begin_at or l.created_at > least(now, l.begin_at)`,
  ],
  [
    'every evaluation to come has the time of its corrector',
    `select s.id from scale_teams s, clock where s.begin_at > now and s.user_id is not null
       and (select count(*) from slots l where l.scale_team_id = s.id and l.user_id = s.user_id) <> 2`,
  ],
  [
    'nobody offers the same time twice',
    'select a.id from slots a join slots b on b.user_id = a.user_id and b.id > a.id and b.begin_at < a.end_at and a.begin_at < b.end_at',
  ],
]

const HOLDINGS: readonly SchoolRule[] = [
  [
    'experience is earned by what was validated, as much as its difficulty and mark make',
    `select p.id from projects_users p join projects j on j.id = p.project_id
     left join (select projects_user_id as id, sum(experience) as sum from experiences group by 1) e on e.id = p.id
     where coalesce(e.sum, 0) <> case when p.validated and p.status <> 'parent' then round(j.difficulty * p.final_mark / 100.0) else 0 end`,
  ],
  [
    'experience is of the course and in the skills of the project',
    `select e.id from experiences e join projects_users p on p.id = e.projects_user_id
     where e.user_id <> p.user_id or not exists (select from projects_cursus c where c.project_id = p.project_id and c.cursus_id = e.cursus_id)
       or not exists (select from project_sessions s join project_sessions_skills k on k.project_session_id = s.id
         where s.project_id = p.project_id and k.skill_id = e.skill_id)`,
  ],
  [
    'a level is what the experience of the course makes',
    `select c.user_id, c.cursus_id, c.level from cursus_users c left join (
       select user_id, cursus_id, sum(experience) as xp from experiences group by 1, 2) e using (user_id, cursus_id)
     where abs(c.level - coalesce(${levelOf('c.cursus_id', 'coalesce(e.xp, 0)')}, -1)) > 0.011`,
  ],
  [
    'no cursus_user was last updated before its experience was earned',
    `select c.id from cursus_users c join experiences e using (user_id, cursus_id) where e.created_at > c.updated_at`,
  ],
  [
    'the level of a skill is what the experience in it makes',
    `select s.id from cursus_users_skills s join cursus_users c on c.id = s.cursus_user_id left join (
       select user_id, cursus_id, skill_id, sum(experience) as xp from experiences group by 1, 2, 3) e
       on e.user_id = c.user_id and e.cursus_id = c.cursus_id and e.skill_id = s.skill_id
     where abs(s.level - coalesce(${levelOf('c.cursus_id', 'coalesce(e.xp, 0)')}, -1)) > 0.011`,
  ],
  [
    'the grade is that of the level',
    `select c.id from cursus_users c join cursus k on k.id = c.cursus_id
     where c.grade is distinct from case when k.kind = 'main' then case when c.level < 2 then 'Learner' else 'Cadet' end end`,
  ],
  [
    'evaluation points are the sum of their history, and were never below nothing',
    `select u.id from users u left join (select user_data_id as id, sum(sum) as sum, min(total) as least
       from correction_point_historics group by 1) h on h.id = u.id
     where u.correction_point <> coalesce(h.sum, 0) or h.least < 0`,
  ],
  [
    'each evaluation that took place moved a point',
    `select s.id from scale_teams s where s.filled_at is not null and s.truant_id is null and s.user_id is not null and not exists (
       select from correction_point_historics h where h.scale_team_id = s.id and h.user_data_id = s.user_id and h.sum = 1)`,
  ],
  [
    'a wallet is the sum of its transactions',
    `select u.id from users u where u.wallet <> coalesce((select sum(value) from transactions t where t.user_id = u.id), 0)`,
  ],
  [
    'only staff hand over what was ordered, at their campus, after it was ordered',
    `select c.id from commands c where c.validated_at < c.created_at or (c.used and c.validated_at is null)
       or (c.validated_at is not null) and not exists (
         select from users u join campus_users a on a.user_id = u.id join campus_users b using (campus_id)
         where u.id = c.validator_id and u.kind = 'admin' and b.user_id = c.user_id)
       and exists (select from users u join campus_users a on a.user_id = u.id join campus_users b using (campus_id)
         where u.kind = 'admin' and b.user_id = c.user_id)`,
  ],
  [
    'achievements fit: projects validated, teams evaluated, events attended, a coalition led, a course begun or finished',
    `select w.id, a.slug from achievements_users w join achievements a on a.id = w.achievement_id, clock
     where w.created_at > now or a.nbr_of_success > case a.slug
       when 'regular' then (select count(*) from events_users e join events v on v.id = e.event_id
         where e.user_id = w.user_id and not e.waiting and v.end_at <= w.created_at)
       when 'fair-judge' then (select count(*) from scale_teams s where s.user_id = w.user_id and s.truant_id is null and s.filled_at <= w.created_at)
       when 'wise-judge' then (select count(*) from scale_teams s where s.user_id = w.user_id and s.truant_id is null and s.filled_at <= w.created_at)
       else (select count(*) from projects_users p where p.user_id = w.user_id and p.validated and p.marked_at <= w.created_at) end
       or (a.slug = 'captain' and not exists (select from coalitions c where c.user_id = w.user_id))
       or (a.slug = 'graduate' and not exists (select from users u where u.id = w.user_id and u.alumnized_at = w.created_at))`,
  ],
]

const COALITIONS: readonly SchoolRule[] = [
  [
    'every campus has coalitions in its bloc',
    'select c.id from campus c where not exists (select from blocs b join coalitions o on o.bloc_id = b.id where b.campus_id = c.id)',
  ],
  [
    'a member of a coalition is of its campus and in its course, and was when they joined',
    `select m.id from coalitions_users m join coalitions c on c.id = m.coalition_id left join blocs b on b.id = c.bloc_id where not exists (
       select from campus_users p join cursus_users k on k.user_id = p.user_id and k.cursus_id = b.cursus_id
       where p.user_id = m.user_id and p.campus_id = b.campus_id and p.is_primary and k.has_coalition
         and m.created_at >= k.begin_at)`,
  ],
  [
    'everybody whose course has coalitions is in one of them, and in no other',
    `select c.id from cursus_users c join campus_users p on p.user_id = c.user_id and p.is_primary, clock
     where c.begin_at <= now and ((select count(*) from coalitions_users m join coalitions o on o.id = m.coalition_id join blocs b on b.id = o.bloc_id
       where m.user_id = c.user_id and b.cursus_id = c.cursus_id) = 1)
       <> exists (select from blocs b join coalitions o on o.bloc_id = b.id where b.campus_id = p.campus_id and b.cursus_id = c.cursus_id)
     union all select c.id from cursus_users c where c.has_coalition <> exists (
       select from coalitions_users m join coalitions o on o.id = m.coalition_id join blocs b on b.id = o.bloc_id
       where m.user_id = c.user_id and b.cursus_id = c.cursus_id)`,
  ],
  [
    'the points of a member are the sum of their scores, and those of a coalition of its members',
    `select m.id from coalitions_users m left join (select coalitions_user_id as id, sum(value) as sum from scores group by 1) s on s.id = m.id
     where m.score <> coalesce(s.sum, 0)
     union all select c.id from coalitions c where c.score <> coalesce((select sum(value) from scores s where s.coalition_id = c.id), 0)
     union all select c.id from coalitions c where c.score <> coalesce((select sum(score) from coalitions_users m where m.coalition_id = c.id), 0)`,
  ],
  [
    'a score is for something that the member did after they joined',
    `select s.id from scores s join coalitions_users m on m.id = s.coalitions_user_id, clock
     where s.coalition_id <> m.coalition_id or s.created_at < m.created_at or s.created_at > now or not case s.scoreable_type
       when 'ScaleTeam' then exists (select from scale_teams t where t.id = s.scoreable_id and t.user_id = m.user_id
         and t.filled_at = s.created_at and t.truant_id is null)
       when 'ProjectsUser' then exists (select from projects_users p where p.id = s.scoreable_id and p.user_id = m.user_id
         and p.validated and p.marked_at = s.created_at)
       else false end`,
  ],
  [
    'a coalition is led by the member who has most points',
    `select c.id from coalitions c left join coalitions_users l on l.coalition_id = c.id and l.user_id = c.user_id
     where l.score is distinct from (select max(score) from coalitions_users m where m.coalition_id = c.id)`,
  ],
  [
    'squads are of members of coalitions of their bloc',
    `select s.id from squads_users s join squads q on q.id = s.squad_id where not exists (
       select from coalitions_users m join coalitions c on c.id = m.coalition_id where m.user_id = s.user_id and c.bloc_id = q.bloc_id)`,
  ],
  [
    'a season that is over was won by a coalition of its bloc, and a running one by none yet',
    `select d.id from bloc_deadlines d, clock where d.end_at <= d.begin_at or (d.end_at < now) <> (d.coalition_id is not null)
       or not exists (select from coalitions c where c.bloc_id = d.bloc_id and c.id = d.coalition_id) and d.coalition_id is not null`,
  ],
]

const LIFE: readonly SchoolRule[] = [
  [
    'people sit at a campus of theirs, one at a time, and not in the future',
    `select l.id from locations l, clock where l.begin_at > now or l.end_at > now or l.end_at < l.begin_at
       or not exists (select from campus_users m where m.user_id = l.user_id and m.campus_id = l.campus_id)
     union all
     select id from (select id, begin_at, lag(coalesce(end_at, 'infinity')) over (partition by user_id order by begin_at, id) as until
       from locations) l where until > begin_at`,
  ],
  [
    'events and exams end after they begin and take no more people than fit',
    `select e.id from events e where e.end_at <= e.begin_at or e.created_at > e.begin_at
       or (select count(*) from events_users u where u.event_id = e.id and not u.waiting) > e.max_people
     union all select e.id from exams e where e.end_at <= e.begin_at or e.created_at > e.begin_at
       or (select count(*) from exams_users u where u.exam_id = e.id and not u.waiting) > e.max_people`,
  ],
  [
    'people subscribe to events and exams of their campus and course, before those begin',
    `select s.id from events_users s join events e on e.id = s.event_id, clock where s.created_at > least(now, e.begin_at) or s.created_at < e.created_at
       or not exists (select from events_campus c join campus_users m on m.campus_id = c.campus_id where c.event_id = e.id and m.user_id = s.user_id)
       or not exists (select from events_cursus c join cursus_users m on m.cursus_id = c.cursus_id where c.event_id = e.id and m.user_id = s.user_id)
     union all
     select s.id from exams_users s join exams e on e.id = s.exam_id, clock where s.created_at > least(now, e.begin_at) or s.created_at < e.created_at
       or not exists (select from campus_users m where m.campus_id = e.campus_id and m.user_id = s.user_id)
       or not exists (select from exams_cursus c join cursus_users m on m.cursus_id = c.cursus_id where c.exam_id = e.id and m.user_id = s.user_id)`,
  ],
  [
    'a quest that is done is done to the end, and only then',
    'select id from quests_users where (validated_at is not null) <> (prct = 100) or validated_at < created_at',
  ],
  [
    'forum messages follow their topic, and replies what they answer',
    `select m.id from messages m join topics t on t.id = m.messageable_id, clock where m.created_at < t.created_at or m.created_at > now
     union all select m.id from messages m join messages p on p.id = m.parent_id where m.created_at < p.created_at or m.messageable_id <> p.messageable_id`,
  ],
  [
    'nobody writes in the forum before they came',
    'select m.id from messages m join users u on u.id = m.author_id where m.created_at < u.created_at',
  ],
  [
    'an offer is asked for while it stands, and an internship comes of what was agreed',
    `select a.id from offers_users a join offers o on o.id = a.offer_id where a.created_at not between o.valid_at and o.invalid_at
       or a.validated_at < a.created_at
     union all select i.id from internships i where i.end_at <= i.start_at or not exists (
       select from offers_users a where a.offer_id = i.offer_id and a.user_id = i.user_id and a.validated_at <= i.start_at)`,
  ],
  [
    'an internship is in the currency and salary of its country',
    `select i.id, i.company_country, i.currency from internships i where i.currency is distinct from
       case i.company_country when 'France' then 'EUR' when 'Brazil' then 'BRL' when 'Australia' then 'AUD' else i.currency end`,
  ],
  [
    'the journal has an entry for everybody who came, left, was closed, evaluated or was evaluated, and no other',
    `select * from (
       select id as user_id, 'User' as item_type, id as item_id, 'created' as reason, created_at as event_at from users
       union all select id, 'User', id, 'alumnized', alumnized_at from users where alumnized_at is not null
       union all select id, 'User', id, 'closed', closed_at from users where closed_at is not null
       union all select user_id, 'ScaleTeam', id, 'corrector', filled_at from scale_teams where filled_at is not null and user_id is not null
       union all select m.user_id, 'ScaleTeam', s.id, 'corrected', filled_at from scale_teams s join teams_users m on m.team_id = s.team_id and m.validated
         where filled_at is not null) expected
     full join (select user_id, item_type, item_id, reason, event_at, id from journals) written using (user_id, item_type, item_id, reason, event_at)
     where id is null or not exists (select from users u where u.id = user_id)
       or (item_type = 'ScaleTeam' and not exists (select from scale_teams s where s.id = item_id and s.filled_at = event_at))`,
  ],
  [
    'the journal says at which campus and in which course',
    `select j.id from journals j where not exists (select from campus_users m where m.user_id = j.user_id and m.campus_id = j.campus_id)
       or (j.cursus_id is not null and not exists (select from cursus_users c where c.user_id = j.user_id and c.cursus_id = j.cursus_id))`,
  ],
  [
    'who helps, is helped by somebody of the same campus who began before',
    `select p.id from patronages p where not exists (select from campus_users a join campus_users b using (campus_id)
       where a.user_id = p.user_id and b.user_id = p.godfather_id)`,
  ],
]

const WEBSERVICES: readonly SchoolRule[] = [
  [
    'a delivery went to the webservice of the campus of its user',
    `select d.id from deliveries d where not exists (select from campus c join campus_users m on m.campus_id = c.id and m.is_primary
       where m.user_id = d.user_id and c.endpoint_id = d.endpoint_id)`,
  ],
  [
    'a delivery was tried as often as its attempts, and ended as the last one says',
    `select d.id from deliveries d, lateral (select attempts -> -1 as last) a, clock where d.tries <> jsonb_array_length(d.attempts)
       or (last ->> 'status')::integer is distinct from d.status or (last ->> 'error') is distinct from d.error
       or (last ->> 'at')::timestamptz is distinct from date_trunc('milliseconds', d.last_try_at)
       or d.state <> case when d.status between 200 and 299 then 'delivered' when d.status in (404, 422) then 'rejected'
         when d.status = 410 or d.tries > 10 or d.due_at is null then 'dead' else 'pending' end
       or (d.decided_at is null) <> (d.state = 'pending') or (d.due_at is not null) <> (d.state = 'pending')
       or d.due_at <= now or d.last_try_at > now or d.created_at > d.last_try_at`,
  ],
  [
    'a webservice is off where one said that it is gone, and nothing was sent since',
    `select e.id from endpoints e where e.active = exists (select from deliveries d where d.endpoint_id = e.id and d.status = 410)
       or e.active <> (e.switched_off_at is null) or exists (
         select from deliveries d where d.endpoint_id = e.id and d.last_try_at > e.switched_off_at)`,
  ],
  [
    'webservices are on this machine',
    `select id, url from endpoints where url !~ '^https://(localhost|127\\.0\\.0\\.1)[:/]'`,
  ],
  [
    'what webservices reported was about a delivery to them, at its address',
    `select c.id from callbacks c join endpoints e on e.id = c.endpoint_id where not exists (
       select from deliveries d where d.endpoint_id = c.endpoint_id and d.user_id = c.user_id and d.state = 'delivered' and d.decided_at <= c.created_at)
       or not starts_with(c.url, e.url)`,
  ],
]

/** Columns of times that may lie ahead; all others are over. */
const AHEAD = new Set([
  ...['anti_grav_units_users.expected_end_date', 'announcements.expire_at', 'bloc_deadlines.end_at'],
  ...['broadcasts.pinned_until', 'closes.end_at', 'community_services.schedule_at', 'cursus_users.blackholed_at'],
  ...['dashes.begin_at', 'dashes.end_at', 'deliveries.due_at', 'events.begin_at', 'events.end_at', 'exams.begin_at'],
  ...['exams.end_at', 'flash_users.end_at', 'internships.start_at', 'internships.end_at', 'offers.invalid_at'],
  ...['project_sessions.end_at', 'quests_users.end_at', 'scale_teams.begin_at', 'slots.begin_at', 'slots.end_at'],
  ...['teams.deadline_at', 'teams.terminating_at', 'users.anonymize_date', 'users.data_erasure_date'],
])

type Rows = (statement: string, values?: unknown[]) => Promise<readonly (readonly (string | null)[])[]>

/** A rule for each column of a time, of these tables: it is over, unless it may lie ahead; and no row ends before it begins. */
async function rulesOfTimes(rows: Rows, tables: readonly string[]): Promise<readonly SchoolRule[]> {
  const columns = await rows(
    `select table_name, column_name from information_schema.columns where table_schema = 'public'
       and (data_type like 'timestamp%' or data_type = 'date') and table_name = any($1) order by 1, 2`,
    [tables],
  )
  const names = columns.map(([table, column]) => `${table}.${column}`)
  const ends = names.flatMap((name): SchoolRule[] => {
    const [table, column] = name.split('.') as [string, string]
    const begins = column.replace(/^(expected_)?end/, 'begin')
    return begins !== column && names.includes(`${table}.${begins}`)
      ? [[`${name} is after ${begins}`, `select * from "${table}" where "${column}" < "${begins}"`]]
      : []
  })
  const past = names.flatMap((name): SchoolRule[] => {
    const [table, column] = name.split('.') as [string, string]
    return AHEAD.has(name)
      ? []
      : [[`${name} is over`, `select t.* from "${table}" t, clock where t."${column}" > clock.now`]]
  })
  const changed = names
    .filter((name) => name.endsWith('.updated_at') && names.includes(name.replace('updated', 'created')))
    .map((name): SchoolRule => {
      const table = name.split('.')[0]
      return [`${table} change after they are made`, `select * from "${table}" where updated_at < created_at`]
    })
  return [...ends, ...past, ...changed]
}

const RULES = [...PEOPLE, ...WORK, ...HOLDINGS, ...COALITIONS, ...LIFE, ...WEBSERVICES]

/** The rules that a school with rows in these tables breaks at this time, each with how often and an example. */
export async function brokenRules(rows: Rows, now: Date, tables: readonly string[]): Promise<string[]> {
  const broken: string[] = []
  for (const [says, offenders] of [...RULES, ...(await rulesOfTimes(rows, tables))]) {
    const found = await rows(
      `with clock as (select '${now.toISOString()}'::timestamptz as now), offenders as (${offenders})
       select (select count(*) from offenders), (select to_json(o)::text from offenders o limit 1)`,
    ).catch((error: Error) => [[`${error.message}`, '']])
    const [count, example] = found[0] ?? []
    if (count !== '0') broken.push(`${says}: ${count}, as ${example}`)
  }
  return broken
}
