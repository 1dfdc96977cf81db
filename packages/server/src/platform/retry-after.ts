// How long a caller is told to wait when the service cannot say when it will be ready.

export const UNREADY_RETRY_AFTER_SECONDS = 5;
