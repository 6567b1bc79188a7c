// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
/// The nested functions at an address.
struct FunctionChain {
    /// The name of a function in the debug information.
    struct Name {
        let text: String
        /// Whether this is the linker's name of the function, which includes the module and the
        /// parameters.
        let isOfLinker: Bool
    }

    /// The calls, outermost first.
    let calls: [FunctionSearch.Call]
    /// The place of the address in the innermost function.
    let place: LineProgram.Place?
    /// The linker's name of the outermost function.
    let outermost: String?

    /// Returns the functions, innermost first.
    ///
    /// The place of each function is where the next inner function was inlined.
    func functions(
        name: (Int) -> Name?,
        path: (UInt64) -> String?
    ) -> [DebugInformation.Function] {
        var functions: [DebugInformation.Function] = []
        var current = place
        for (depth, call) in calls.enumerated().reversed() {
            let isInlined = depth > 0
            let name = name(call.entry)
            let linker = isInlined || name?.isOfLinker == true ? nil : outermost
            let line = current.flatMap { Int(exactly: $0.line) }
            functions.append(
                DebugInformation.Function(
                    name: linker ?? name?.text ?? "",
                    file: current.flatMap { path($0.file) },
                    line: line.flatMap { $0 > 0 ? $0 : nil },
                    isInlined: isInlined
                )
            )
            current = LineProgram.Place(file: call.file, line: call.line)
        }
        if functions.isEmpty, let outermost {
            let line = place.flatMap { Int(exactly: $0.line) }
            functions = [
                .init(
                    name: outermost,
                    file: place.flatMap { path($0.file) },
                    line: line.flatMap { $0 > 0 ? $0 : nil },
                    isInlined: false
                )
            ]
        }
        return functions
    }
}
#endif
