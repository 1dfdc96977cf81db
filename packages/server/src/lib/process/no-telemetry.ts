// Imported before onnxruntime-node, whose library otherwise writes a device id below the home folder and reports to its
// makers. The library asks the environment of the process, so threads rely on whoever started them.
process.env.ORT_DISABLE_TELEMETRY = '1';
