// SPDX-License-Identifier: Apache-2.0

/// A thread that ran beside the crashed thread.
public struct ReportedThread: Hashable, Sendable, Codable {
    /// The thread number of the system.
    public var number: Int32
    /// The name of the thread, or nil without a name.
    public var name: String?
    /// The calls of the thread, innermost first.
    public var frames: [ReportedFrame]

    /// Creates a thread.
    package init(number: Int32, name: String?, frames: [ReportedFrame]) {
        (self.number, self.name, self.frames) = (number, name, frames)
    }
}
