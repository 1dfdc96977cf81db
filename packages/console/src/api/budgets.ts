// Calls of the console that are about budgets and receipts.
import { type BudgetRecord, budgetRecord } from '@faircopy/contract';
import { z } from 'zod';
import { HOME } from '../base-path.ts';
import { get, request } from './request.ts';

const accountPath = (accountId: string): string => `/accounts/${encodeURIComponent(accountId)}`;

export type BudgetWish = Pick<BudgetRecord, 'key_id' | 'day_seconds' | 'month_seconds' | 'warn_percent' | 'stops'>;

export const budgetsApi = {
  list: (accountId: string): Promise<BudgetRecord[]> => get(z.array(budgetRecord), `${accountPath(accountId)}/budgets`),
  /** `before`: what it was when the form was opened. */
  set: (accountId: string, wish: BudgetWish, before: BudgetWish | null) =>
    request('PUT', `${accountPath(accountId)}/budgets`, { ...wish, before }),
};

export const receiptAddress = (accountId: string, requestId: string): string =>
  `${HOME}/api${accountPath(accountId)}/receipts/${encodeURIComponent(requestId)}`;

export const receiptsAddress = (accountId: string): string => `${HOME}/api${accountPath(accountId)}/receipts`;
