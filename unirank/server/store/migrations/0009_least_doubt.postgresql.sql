-- Pages of MatchRank that were made before its option least_doubt go on without one, as it was then.
-- The text is edited: PostgreSQL's JSON functions refuse the null character that an item may hold.
-- No other text can match: inside of an item, quotes stand behind backslashes.
UPDATE page SET settings = replace(replace(settings,
    '"policy":"matchrank","options":{', '"policy":"matchrank","options":{"least_doubt":0.0,'),
    '"options":{"least_doubt":0.0,}', '"options":{"least_doubt":0.0}')
WHERE settings LIKE '%"policy":"matchrank","options":{%';
UPDATE log SET change = replace(replace(change,
    '"policy":"matchrank","options":{', '"policy":"matchrank","options":{"least_doubt":0.0,'),
    '"options":{"least_doubt":0.0,}', '"options":{"least_doubt":0.0}')
WHERE change IS NOT NULL AND change LIKE '%"policy":"matchrank","options":{%';
UPDATE page SET settings = replace(replace(settings,
    '"policy":"plain-matchrank","options":{', '"policy":"plain-matchrank","options":{"least_doubt":0.0,'),
    '"options":{"least_doubt":0.0,}', '"options":{"least_doubt":0.0}')
WHERE settings LIKE '%"policy":"plain-matchrank","options":{%';
UPDATE log SET change = replace(replace(change,
    '"policy":"plain-matchrank","options":{', '"policy":"plain-matchrank","options":{"least_doubt":0.0,'),
    '"options":{"least_doubt":0.0,}', '"options":{"least_doubt":0.0}')
WHERE change IS NOT NULL AND change LIKE '%"policy":"plain-matchrank","options":{%';
