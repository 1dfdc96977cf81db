/** Path of the ONNX file. */
export declare const modelFile: string;
