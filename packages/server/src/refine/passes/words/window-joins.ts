// Word lists of the window-joins pass.
import { words } from '../../words.ts';

/** English words that take no capital inside a sentence. */
export const LOWER_CASE_WORDS =
  words(`the a an of to and or but in on at for with from by my your our his her their its this these those that which who
  because if than into about we you he she they it is are was were be been have has had do does did will would can could should so then
  when where what how not just also some any all more most other there here go going get make take`);
