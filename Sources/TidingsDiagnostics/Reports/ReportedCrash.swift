// SPDX-License-Identifier: Apache-2.0

/// The details of a crash.
public struct ReportedCrash: Hashable, Sendable, Codable {
    /// The name of the signal, such as `SIGSEGV`.
    public var signal: String
    /// The number of the signal on the machine of the crash.
    package var number: Int32
    /// The reason code of the signal, which is 0 or less for a signal from a process.
    package var code: Int32
    /// The address of the failed access, if the system provides it.
    public var address: UInt64?
    /// The reason that the runtime gives, such as `Fatal error: Index out of range`.
    public var reason: String?
    /// The newest lines of the standard error, redacted, or nil if not captured.
    public var text: String?
    /// The name of the thread.
    public var threadName: String?
    /// The thread number of the system.
    public var thread: Int32
    /// The process that sent the signal, if any.
    public var sender: Int32?
    /// The values of the registers by name.
    package var registers: [String: UInt64] = [:]
    /// Whether the crash record is incomplete.
    public var isTruncated = false
    /// Whether the program survived the crash.
    public var isRecovered = false
}

extension ReportedCrash {
    /// Creates the details of a crash of a report in another format.
    package init(signal: String, numbered number: Int32, because code: Int32, on thread: Int32) {
        self.init(signal: signal, number: number, code: code, thread: thread)
    }
}
