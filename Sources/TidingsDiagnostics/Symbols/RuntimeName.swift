// SPDX-License-Identifier: Apache-2.0

/// Recognizes the functions of Swift's runtime and libraries by their mangled names.
///
/// The functions may be linked into a program. There, neither the file nor missing lines
/// distinguish these functions from the program's own functions.
enum RuntimeName {
    private static let modules: Set<String> = [
        "Swift", "_Concurrency", "_StringProcessing", "_RegexParser", "Synchronization", "Runtime",
        "Observation", "Distributed", "Foundation", "FoundationEssentials",
        "FoundationInternationalization", "FoundationNetworking", "_FoundationCollections",
        "_FoundationCShims", "Dispatch", "Glibc", "Musl",
    ]
    private static let prefixes = [
        "swift_", "_swift_", "__swift_", "dispatch_", "_dispatch_", "_ZN5swift", "_ZNK5swift",
        "_ZN12_GLOBAL__N_1",
    ]

    /// Whether a name belongs to the runtime.
    static func contains(_ name: String) -> Bool {
        let utf8 = name.utf8[...]
        guard let start = utf8.firstIndex(of: UInt8(ascii: "$")),
            name.hasPrefix("$s")
                || name.hasPrefix("_$s")
        else { return prefixes.contains { name.hasPrefix($0) } }
        var rest = utf8[utf8.index(start, offsetBy: 2)...]
        switch rest.first {
        // The module Swift.
        case UInt8(ascii: "s"): return true
        case UInt8(ascii: "S"):
            rest = rest.dropFirst()
            let type = rest.popFirst()
            // A type of C, which only the program extends.
            if type == UInt8(ascii: "o") || type == UInt8(ascii: "C") { return false }
            // A type of the library, perhaps followed by the module of an extension.
            return module(in: rest).map { modules.contains($0) } ?? true
        default: return module(in: rest).map { modules.contains($0) } ?? false
        }
    }

    /// Returns the identifier, preceded by its length, at the start of the rest of a name.
    private static func module(in rest: Substring.UTF8View) -> String? {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard let count = Int(String(digits) ?? ""), count > 0 else { return nil }
        let text = rest.dropFirst(digits.count).prefix(count)
        return text.count == count ? String(text) : nil
    }
}
