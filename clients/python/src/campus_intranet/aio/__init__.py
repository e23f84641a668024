"""The client for asyncio, from which `npm run generate -- python` makes the one for threads: changes belong here."""
