// SPDX-License-Identifier: Apache-2.0

/// How a program crashed.
public struct ReportedCrash: Hashable, Sendable, Codable {
    /// The name of the signal, such as `SIGSEGV`.
    public var signal: String
    /// The number of the signal on the machine where it happened.
    public var number: Int32
    /// Why the system sent the signal; 0 or less when a process did.
    public var code: Int32
    /// The address that could not be used, if the system says.
    public var address: UInt64?
    /// What the runtime says of its reason, such as `Fatal error: Index out of range`.
    public var reason: String?
    /// The newest lines of the standard error, redacted; nil when they were not kept.
    public var text: String?
    /// The name of the thread.
    public var threadName: String?
    /// The system's number of the thread.
    public var thread: Int32
    /// The process that sent the signal, if one did.
    public var sender: Int32?
    /// The registers by name.
    public var registers: [String: UInt64] = [:]
    /// Whether what was written about it is not whole.
    public var isTruncated = false
    /// Whether the program went on after it.
    public var isRecovered = false
}

/// The machine that something happened on.
public struct ReportedMachine: Hashable, Sendable, Codable {
    /// The system and its version, such as `Debian GNU/Linux 12`.
    public var system: String
    /// The version of its kernel.
    public var kernel: String
    /// The kind of processor, such as `x86_64`.
    public var architecture: String
    /// The language and region that the program ran with, such as `en_US`.
    public var locale: String?
}
