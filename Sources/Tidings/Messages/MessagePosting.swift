// SPDX-License-Identifier: Apache-2.0

/// What a watcher of a center learns before the first handler of a post runs.
package struct MessagePosting: Sendable {
    /// The message's type, without its module.
    package let name: String
    /// The message's own description, if its type allows it with `tracing`.
    package let detail: String?
    /// Where `post` was called, as `#fileID:line`.
    package let location: String

    init?<M: Message>(_ message: M, at location: SourceLocation) {
        let tracing = M.tracing
        guard tracing != .hidden else { return nil }
        name = String(describing: M.self)
        detail = tracing == .described ? String(describing: message) : nil
        self.location = location.description
    }
}

/// A line of a source file, kept without building its text.
struct SourceLocation: Sendable, CustomStringConvertible {
    let file: StaticText
    let line: UInt

    init(fileID: StaticString, line: UInt) {
        file = StaticText(fileID)
        self.line = line
    }

    init(file: StaticText, line: UInt) {
        self.file = file
        self.line = line
    }

    var description: String { "\(file.text):\(line)" }
}
