// Import before onnxruntime-node: its library otherwise writes a device id to the home folder and sends telemetry. It
// reads the process environment, so threads inherit this from their process.
process.env.ORT_DISABLE_TELEMETRY = '1';
