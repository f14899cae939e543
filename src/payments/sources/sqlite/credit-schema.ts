/**
 * Credits and the requests that drew on them. Triggers keep the sums of a credit equal to its draws, so that every change
 * is one statement. Owners begin with the time, so that new rows are neighbours in the file. `salt` is null once the answer of the purchase is no longer kept. `balance` is what a draw left.
 */
export const CREDIT_MIGRATION = `
  CREATE TABLE credits (
    id INTEGER PRIMARY KEY,
    payment_key TEXT NOT NULL UNIQUE,
    token_hash TEXT NOT NULL UNIQUE,
    salt TEXT,
    redeem_hash TEXT,
    bought INTEGER NOT NULL CHECK (bought > 0),
    spent INTEGER NOT NULL DEFAULT 0 CHECK (spent >= 0),
    reserved INTEGER NOT NULL DEFAULT 0 CHECK (reserved >= 0),
    created_at INTEGER NOT NULL,
    CHECK (spent + reserved <= bought)
  ) STRICT;
  CREATE INDEX credits_with_salt ON credits (created_at) WHERE salt IS NOT NULL;
  CREATE INDEX credits_not_spent ON credits (id) WHERE spent < bought;
  CREATE TABLE credit_draws (
    owner TEXT PRIMARY KEY NOT NULL,
    credit INTEGER NOT NULL REFERENCES credits (id),
    key TEXT,
    fingerprint TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('reserved', 'spent')),
    lease_until INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    spent_at INTEGER,
    endpoint TEXT NOT NULL,
    micros INTEGER NOT NULL CHECK (micros > 0),
    balance INTEGER NOT NULL CHECK (balance >= 0),
    status INTEGER,
    body TEXT,
    CHECK ((state = 'spent') = (spent_at IS NOT NULL)),
    CHECK (body IS NULL OR (state = 'spent' AND key IS NOT NULL AND status IS NOT NULL))
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX credit_draws_by_key ON credit_draws (credit, key) WHERE key IS NOT NULL;
  CREATE INDEX credit_draws_reserved ON credit_draws (lease_until) WHERE state = 'reserved';
  CREATE INDEX credit_draws_with_answer ON credit_draws (spent_at) WHERE body IS NOT NULL;
  CREATE TRIGGER credit_draw_reserved AFTER INSERT ON credit_draws BEGIN
    UPDATE credits SET reserved = reserved + NEW.micros WHERE id = NEW.credit;
  END;
  CREATE TRIGGER credit_draw_spent AFTER UPDATE OF state ON credit_draws WHEN OLD.state = 'reserved' AND NEW.state = 'spent'
  BEGIN
    UPDATE credits SET reserved = reserved - NEW.micros, spent = spent + NEW.micros WHERE id = NEW.credit;
  END;
  CREATE TRIGGER credit_draw_given_back AFTER DELETE ON credit_draws WHEN OLD.state = 'reserved' BEGIN
    UPDATE credits SET reserved = reserved - OLD.micros WHERE id = OLD.credit;
  END;
  `
