// The child's side of a helper process: every message is a question, every answer a value or what went wrong.

export const answerWith = <Question>(answer: (question: Question) => Promise<unknown>): void => {
  process.on('message', async (question: Question) => {
    try {
      process.send?.({ value: await answer(question) });
    } catch (thrown) {
      process.send?.({ error: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) });
    }
  });
};
