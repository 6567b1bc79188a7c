// SPDX-License-Identifier: Apache-2.0

/// A function that was running, or that waited for the one before it to return.
public struct ReportedFrame: Hashable, Sendable, Codable {
    /// How a frame was found.
    @nonexhaustive public enum Kind: String, Hashable, Sendable, Codable {
        /// Where the processor was.
        case counter
        /// Where a call goes on after its return.
        case call
        /// Where an asynchronous function goes on.
        case resumption
        /// What looks like the return address of a call on the stack: it may be of an earlier one.
        case scanned
    }

    /// The address of the code in the process that ended.
    public var address: UInt64
    /// How the frame was found.
    public var kind: Kind
    /// The function's name; nil when it is not known here.
    public var function: String?
    /// The path of its source file, redacted; nil without debug information.
    public var file: String?
    /// The line in that file.
    public var line: Int?
    /// The name of the file that it was loaded from.
    public var image: String?
    /// Whether the function stands at the place of its call; the frame after it is that place.
    public var isInlined = false
    /// Whether it belongs to the language or the system, not to the program.
    public var isSystem = false
}

/// A file that was loaded into a process.
public struct ReportedImage: Hashable, Sendable, Codable {
    /// Its path, redacted.
    public var path: String
    /// What tells this build of it from another one, in hexadecimal; nil when it has none.
    public var buildID: String?
    /// Where it begins in memory.
    public var start: UInt64
    /// Where its code ends.
    public var end: UInt64
}
