// SPDX-License-Identifier: Apache-2.0

/// A way to crash, and the expected contents of the report.
struct ReportedWay: Sendable {
    let name: String
    let signal: Int32
    /// The start of the name of the function that crashes.
    let function: String
    let file: String
    let lines: Range<Int>
    /// Whether the report must have a reason.
    let hasReason: Bool
    let crash: @Sendable () -> Void

    /// Finds a way by the name, or returns nil if no way has the name.
    init?(_ name: String) {
        self.name = name
        if let way = CrashWay(rawValue: name) {
            (signal, function, file) = (way.signal, "crashOnPurpose(_:_:)", "CrashWay.swift")
            lines = way.lines
            hasReason = ![.badPointer, .abort, .raise, .kill, .comparison].contains(way)
            crash = { _ = callCrash(way) }
        } else if let kind = OtherCrash(rawValue: name) {
            (signal, file, lines) = (kind.signal, "OtherCrash.swift", OtherCrash.lines)
            function =
                switch kind {
                case .stackOverflow: "crashByRecursion(_:)"
                case .inlined: "inlinedElement(_:_:)"
                default: "crashOtherwise(_:_:)"
                }
            hasReason = kind.hasReason
            crash = { _ = callCrash(kind) }
        } else {
            return nil
        }
    }
}
