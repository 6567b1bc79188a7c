// SPDX-License-Identifier: Apache-2.0

/// A thread that ran beside the one that crashed.
package struct ReportedThread: Hashable, Sendable, Codable {
    /// The thread number of the system.
    package var number: Int32
    /// The name of the thread.
    package var name: String?
    /// Its calls, innermost first.
    package var frames: [ReportedFrame]

    /// Creates a thread.
    package init(number: Int32, name: String?, frames: [ReportedFrame]) {
        (self.number, self.name, self.frames) = (number, name, frames)
    }
}
