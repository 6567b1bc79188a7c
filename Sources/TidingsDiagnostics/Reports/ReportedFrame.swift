// SPDX-License-Identifier: Apache-2.0

/// A function that was running, or waiting for the frame before it to return.
public struct ReportedFrame: Hashable, Sendable, Codable {
    /// The origin of a frame.
    package enum Kind: String, Hashable, Sendable, Codable {
        /// The frame comes from the program counter.
        case counter
        /// The frame comes from the return address of a call.
        case call
        /// The frame comes from the continuation of an asynchronous function.
        case resumption
        /// The frame was found by scanning the stack for possible return addresses, and may belong
        /// to an earlier call.
        case scanned
    }

    /// The code address in the process that ended, or 0 for a frame that names missing callers.
    public var address: UInt64
    /// The origin of the frame.
    package var kind: Kind
    /// The name of the function, or nil if unknown.
    public var function: String?
    /// The path of the source file, redacted, or nil without debug information.
    public var file: String?
    /// The line in the source file.
    public var line: Int?
    /// The name of the loaded file that contains the code.
    public var image: String?
    /// Whether the function was inlined into its caller, which is the next frame.
    public var isInlined = false
    /// Whether the function belongs to the language or the system rather than the program.
    public var isSystem = false

    /// Whether the frame was found by scanning the stack and may belong to an earlier call.
    public var isScanned: Bool { kind == .scanned }

    /// Whether the frame stands for callers that cannot be found.
    ///
    /// The address of such a frame is 0, and ``function`` names the gap.
    public var isGap: Bool { address == 0 && kind == .call && function != nil }
}

extension ReportedFrame {
    /// Creates a frame of the call stack of a report in another format.
    package init(at address: UInt64, _ kind: Kind) {
        self.init(address: address, kind: kind)
    }
}

/// A file that was loaded into a process.
package struct ReportedImage: Hashable, Sendable, Codable {
    /// The path, redacted.
    package var path: String
    /// The identifier of this build of the file, in hexadecimal, or nil without one.
    package var buildID: String?
    /// The start address in memory.
    package var start: UInt64
    /// The end address of the code.
    package var end: UInt64

    /// Creates the description of a file.
    package init(path: String, buildID: String?, start: UInt64, end: UInt64) {
        (self.path, self.buildID, self.start, self.end) = (path, buildID, start, end)
    }

    func contains(_ address: UInt64) -> Bool { address >= start && address < end }
}
