/** Path of the int8 ONNX file. */
export declare const modelFile: string;
/** Path of the list of word pieces, a JSON array. */
export declare const vocabularyFile: string;
