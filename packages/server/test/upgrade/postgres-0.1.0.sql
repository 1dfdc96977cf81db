

CREATE TABLE access_version (
    id integer NOT NULL,
    version bigint NOT NULL
);

CREATE TABLE accounts (
    id text NOT NULL,
    name text NOT NULL,
    max_streams integer,
    max_duration_seconds integer,
    created_at_ms bigint NOT NULL
);

CREATE TABLE api_keys (
    id text NOT NULL,
    account_id text NOT NULL,
    name text NOT NULL,
    prefix text NOT NULL,
    hash text NOT NULL,
    created_at_ms bigint NOT NULL,
    created_by text,
    expires_at_ms bigint,
    revoked_at_ms bigint,
    last_used_at_ms bigint
);

CREATE TABLE memberships (
    account_id text NOT NULL,
    person_id text NOT NULL,
    role text NOT NULL,
    since_ms bigint NOT NULL
);

CREATE TABLE people (
    id text NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    email_verified boolean NOT NULL,
    image text,
    is_administrator boolean NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);

CREATE TABLE person_credentials (
    id text NOT NULL,
    person_id text NOT NULL,
    provider_id text NOT NULL,
    provider_account_id text NOT NULL,
    password_hash text,
    access_token text,
    refresh_token text,
    id_token text,
    access_token_expires_at timestamp with time zone,
    refresh_token_expires_at timestamp with time zone,
    scope text,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);

CREATE TABLE person_sessions (
    id text NOT NULL,
    person_id text NOT NULL,
    token text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    ip_address text,
    user_agent text,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);

CREATE TABLE person_verifications (
    id text NOT NULL,
    identifier text NOT NULL,
    value text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);

CREATE TABLE schema_migrations (
    version integer NOT NULL,
    name text NOT NULL,
    applied_at_ms bigint NOT NULL
);

CREATE TABLE server_settings (
    name text NOT NULL,
    value text NOT NULL
);

CREATE TABLE sign_in_attempts (
    id text NOT NULL,
    key text NOT NULL,
    count integer NOT NULL,
    last_request bigint NOT NULL
);

CREATE TABLE stream_leases (
    id text NOT NULL,
    account_id text NOT NULL,
    holder_id text NOT NULL,
    node text NOT NULL,
    expires_at_ms bigint NOT NULL
);

CREATE TABLE usage_daily (
    account_id text NOT NULL,
    day text NOT NULL,
    mode text NOT NULL,
    model text NOT NULL,
    key_id text NOT NULL,
    status text NOT NULL,
    requests bigint NOT NULL,
    audio_us bigint NOT NULL,
    billed_ms bigint NOT NULL,
    output_token_count bigint NOT NULL
);

CREATE TABLE usage_records (
    request_id text NOT NULL,
    account_id text NOT NULL,
    key_id text,
    mode text NOT NULL,
    model text,
    status text NOT NULL,
    audio_us bigint NOT NULL,
    billed_ms bigint NOT NULL,
    output_token_count bigint NOT NULL,
    detected_language text,
    receive_ms double precision,
    recognition_ms double precision,
    refinement_ms double precision,
    refinement_fallback text,
    created_at_ms bigint NOT NULL
);

CREATE TABLE vocabulary_terms (
    account_id text NOT NULL,
    "position" integer NOT NULL,
    term text NOT NULL
);

CREATE TABLE welcome_links (
    id text NOT NULL,
    token_hash text NOT NULL,
    purpose text NOT NULL,
    account_id text,
    role text NOT NULL,
    email text,
    created_at_ms bigint NOT NULL,
    expires_at_ms bigint,
    used_at_ms bigint
);

INSERT INTO access_version VALUES (1, 6);

INSERT INTO accounts VALUES ('01M7GN6ENDXX9ASGZTAV62TE7A', 'default', NULL, NULL, 1794781690542);
INSERT INTO accounts VALUES ('01M7GN6EPJ8WD87FNE6R1T1B77', 'Presse & Söhne', 7, 600, 1794781690578);

INSERT INTO api_keys VALUES ('01M7GN6ETGFZZWGMN26KBFXMMD', '01M7GN6EPJ8WD87FNE6R1T1B77', 'old laptop', 'fc_Twfj8X', 'c54f8fd3d0f4a3a45126b6b9a83f6a005022c48000f226dc48b4483350c4a6fd', 1794781690702, 'ada@example.com', NULL, 1794781690713, NULL);
INSERT INTO api_keys VALUES ('01M7GN6ERH2D2D4FBY3B0MDA8X', '01M7GN6ENDXX9ASGZTAV62TE7A', 'first key', 'fc_hHCq4g', 'dbdda1fe88ff846865538a21659010258d7ec9cd1646764a957c3dfabc791402', 1794781690637, 'first start', NULL, NULL, 1794781694902);

INSERT INTO memberships VALUES ('01M7GN6ENDXX9ASGZTAV62TE7A', '4Lz7GDNEC6hIOsIWLFq7SfsKSGe4VUm9', 'owner', 1794781691378);

INSERT INTO people VALUES ('4Lz7GDNEC6hIOsIWLFq7SfsKSGe4VUm9', 'Ada', 'ada@example.com', false, NULL, true, '2026-11-15 22:28:11.368+00', '2026-11-15 22:28:11.368+00');

INSERT INTO person_credentials VALUES ('NLYUOlr9NZWbMwxRlRKRrqskOzvTb2Xy', '4Lz7GDNEC6hIOsIWLFq7SfsKSGe4VUm9', 'credential', '4Lz7GDNEC6hIOsIWLFq7SfsKSGe4VUm9', 'b600fd6612dbaa5b4408e05be50b0d42:1acb79b801e06cae917ce0292eb84a0b268507f401d0d23fb3d923017f527eeafc271528c4ad95d2491287c7132bba3f768f323b67a91d96dcb6f78c96720c25', NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-15 22:28:11.368+00', '2026-11-15 22:28:11.368+00');

INSERT INTO person_sessions VALUES ('CN0NDp4e7t7pNiCkH4kf5rcJbmAaYmHa', '4Lz7GDNEC6hIOsIWLFq7SfsKSGe4VUm9', 'esqzyvEEBai0r21f8Sl8oYYkVaZqFmME', '2026-11-22 22:28:12.143+00', '127.0.0.1', 'node', '2026-11-15 22:28:12.143+00', '2026-11-15 22:28:12.143+00');

INSERT INTO schema_migrations VALUES (1, 'accounts and ledger', 1794781689841);
INSERT INTO schema_migrations VALUES (2, 'people', 1794781690034);

INSERT INTO server_settings VALUES ('sign_in_secret', 'bRUaNC-tQAc2gzRYrhZAXV3WE0EmT02fHyFD_3Rb2JY');

INSERT INTO sign_in_attempts VALUES ('ChEwDKC775SWp8qnznvoUjV0JVD1aF0c', '127.0.0.1|/sign-in/email', 1, 1794781691470);

INSERT INTO stream_leases VALUES ('left-behind', '01M7GN6ENDXX9ASGZTAV62TE7A', 'gone', 'old', 1);

INSERT INTO usage_daily VALUES ('01M7GN6ENDXX9ASGZTAV62TE7A', '2026-11-15', 'file', 'svc-1.0-max', '01M7GN6ERH2D2D4FBY3B0MDA8X', 'success', 3, 5760000, 45000, 16);
INSERT INTO usage_daily VALUES ('01M7GN6ENDXX9ASGZTAV62TE7A', '2026-11-15', 'file', 'svc-1.0-max', '01M7GN6ERH2D2D4FBY3B0MDA8X', 'AUDIO_FORMAT_UNSUPPORTED', 1, 0, 0, 0);
INSERT INTO usage_daily VALUES ('01M7GN6ENDXX9ASGZTAV62TE7A', '2026-11-15', 'stream', 'svc-1.0-lite', '01M7GN6ERH2D2D4FBY3B0MDA8X', 'success', 1, 1440000, 15000, 4);

INSERT INTO usage_records VALUES ('01M7GN6GBRP26HNJZQPPGGJ57F', '01M7GN6ENDXX9ASGZTAV62TE7A', '01M7GN6ERH2D2D4FBY3B0MDA8X', 'file', 'svc-1.0-max', 'success', 1080000, 15000, 3, 'en', 79, 6.9, 1617.3, NULL, 1794781692374);
INSERT INTO usage_records VALUES ('01M7GN6JHC6J6PQD59EW6HP36B', '01M7GN6ENDXX9ASGZTAV62TE7A', '01M7GN6ERH2D2D4FBY3B0MDA8X', 'file', 'svc-1.0-max', 'success', 1800000, 15000, 5, 'en', 12, 1.7, 9, NULL, 1794781694532);
INSERT INTO usage_records VALUES ('01M7GN6JQDK13PK2GAC12F1DE4', '01M7GN6ENDXX9ASGZTAV62TE7A', '01M7GN6ERH2D2D4FBY3B0MDA8X', 'file', 'svc-1.0-max', 'success', 2880000, 15000, 8, 'en', 15, 0.7, 0.2, NULL, 1794781694702);
INSERT INTO usage_records VALUES ('01M7GN6JSP1BN7FSY845CV9MYW', '01M7GN6ENDXX9ASGZTAV62TE7A', '01M7GN6ERH2D2D4FBY3B0MDA8X', 'file', 'svc-1.0-max', 'AUDIO_FORMAT_UNSUPPORTED', 0, 0, 0, NULL, 26, NULL, NULL, NULL, 1794781694775);
INSERT INTO usage_records VALUES ('01M7GN6JXN34J57NJ6125E6ZMZ', '01M7GN6ENDXX9ASGZTAV62TE7A', '01M7GN6ERH2D2D4FBY3B0MDA8X', 'stream', 'svc-1.0-lite', 'success', 1440000, 15000, 4, 'en', 35, 0.7, 0.2, NULL, 1794781695016);

INSERT INTO vocabulary_terms VALUES ('01M7GN6EPJ8WD87FNE6R1T1B77', 0, 'Zürich');
INSERT INTO vocabulary_terms VALUES ('01M7GN6EPJ8WD87FNE6R1T1B77', 1, 'Faircopy');
INSERT INTO vocabulary_terms VALUES ('01M7GN6EPJ8WD87FNE6R1T1B77', 2, 'O’Neill');

INSERT INTO welcome_links VALUES ('01M7GN6EV4HGMNGPGTPR3XZ3S6', 'b07b7c1f31e4c391a17e93ae8809c1cbe1093a7b41bd1db2738bbd0ae7cb5ec2', 'first_administrator', '01M7GN6ENDXX9ASGZTAV62TE7A', 'owner', NULL, 1794781690721, NULL, 1794781691345);
INSERT INTO welcome_links VALUES ('01M7GN6G8A2G9NEVBM6PB23Z59', '47fbf8d8b6b6a5b0ddc122777a64a8983369d3ba564915cb58e47cc65bef2480', 'invitation', '01M7GN6EPJ8WD87FNE6R1T1B77', 'member', 'bo@example.com', 1794781692170, 1795386492170, NULL);

ALTER TABLE ONLY access_version
    ADD CONSTRAINT access_version_pkey PRIMARY KEY (id);

ALTER TABLE ONLY accounts
    ADD CONSTRAINT accounts_name_key UNIQUE (name);

ALTER TABLE ONLY accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY api_keys
    ADD CONSTRAINT api_keys_hash_key UNIQUE (hash);

ALTER TABLE ONLY api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY memberships
    ADD CONSTRAINT memberships_pk PRIMARY KEY (account_id, person_id);

ALTER TABLE ONLY people
    ADD CONSTRAINT people_email_key UNIQUE (email);

ALTER TABLE ONLY people
    ADD CONSTRAINT people_pkey PRIMARY KEY (id);

ALTER TABLE ONLY person_credentials
    ADD CONSTRAINT person_credentials_pkey PRIMARY KEY (id);

ALTER TABLE ONLY person_sessions
    ADD CONSTRAINT person_sessions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY person_sessions
    ADD CONSTRAINT person_sessions_token_key UNIQUE (token);

ALTER TABLE ONLY person_verifications
    ADD CONSTRAINT person_verifications_pkey PRIMARY KEY (id);

ALTER TABLE ONLY schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (version);

ALTER TABLE ONLY server_settings
    ADD CONSTRAINT server_settings_pkey PRIMARY KEY (name);

ALTER TABLE ONLY sign_in_attempts
    ADD CONSTRAINT sign_in_attempts_key_key UNIQUE (key);

ALTER TABLE ONLY sign_in_attempts
    ADD CONSTRAINT sign_in_attempts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY stream_leases
    ADD CONSTRAINT stream_leases_pkey PRIMARY KEY (id);

ALTER TABLE ONLY usage_daily
    ADD CONSTRAINT usage_daily_pk PRIMARY KEY (account_id, day, mode, model, key_id, status);

ALTER TABLE ONLY usage_records
    ADD CONSTRAINT usage_records_pkey PRIMARY KEY (request_id);

ALTER TABLE ONLY vocabulary_terms
    ADD CONSTRAINT vocabulary_terms_pk PRIMARY KEY (account_id, "position");

ALTER TABLE ONLY welcome_links
    ADD CONSTRAINT welcome_links_pkey PRIMARY KEY (id);

ALTER TABLE ONLY welcome_links
    ADD CONSTRAINT welcome_links_token_hash_key UNIQUE (token_hash);

CREATE INDEX api_keys_of_account ON api_keys USING btree (account_id, created_at_ms);

CREATE INDEX memberships_of_person ON memberships USING btree (person_id);

CREATE INDEX person_credentials_of_person ON person_credentials USING btree (person_id);

CREATE INDEX person_sessions_of_person ON person_sessions USING btree (person_id);

CREATE INDEX person_verifications_by_identifier ON person_verifications USING btree (identifier);

CREATE INDEX stream_leases_of_account ON stream_leases USING btree (account_id, expires_at_ms);

CREATE INDEX stream_leases_of_node ON stream_leases USING btree (node, holder_id);

CREATE INDEX usage_records_by_key ON usage_records USING btree (account_id, key_id, created_at_ms, request_id);

CREATE INDEX usage_records_by_status ON usage_records USING btree (account_id, status, created_at_ms, request_id);

CREATE INDEX usage_records_by_time ON usage_records USING btree (account_id, created_at_ms, request_id);

ALTER TABLE ONLY api_keys
    ADD CONSTRAINT api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE ONLY memberships
    ADD CONSTRAINT memberships_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE ONLY memberships
    ADD CONSTRAINT memberships_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE CASCADE;

ALTER TABLE ONLY person_credentials
    ADD CONSTRAINT person_credentials_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE CASCADE;

ALTER TABLE ONLY person_sessions
    ADD CONSTRAINT person_sessions_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE CASCADE;

ALTER TABLE ONLY vocabulary_terms
    ADD CONSTRAINT vocabulary_terms_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE ONLY welcome_links
    ADD CONSTRAINT welcome_links_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;


