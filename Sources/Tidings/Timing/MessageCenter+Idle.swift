// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Posts a message on the main actor after everything that waits there now.
    ///
    /// Idle means: the work that was queued for the main actor when this was called has had its
    /// turn, the deliveries of this center among it. Then a task of background priority posts the
    /// message there, so main-actor handlers run inline. Messages posted this way keep their order.
    /// Work that is queued later may come before or after.
    ///
    /// The center is not kept meanwhile: if it goes first, nothing is posted. A program whose main
    /// actor never runs posts nothing either.
    ///
    /// ```swift
    /// center.postWhenIdle(SearchIndexOutdated())
    /// ```
    ///
    /// - Parameters:
    ///   - message: What happened.
    ///   - subject: What it is about, if anything; it is kept until the message is posted.
    ///   - fileID: The posting file, for those who watch the center.
    ///   - line: The posting line.
    public func postWhenIdle<M: Message>(
        _ message: M,
        about subject: (any AnyObject & Sendable)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let source = SourceLocation(fileID: fileID, line: line)
        let delivery = Delivery(message: message, about: subject, source: source)
        // Detached: the post comes later and inherits no task-local value of this task.
        Task.detached(priority: .background) { @MainActor [weak self] in
            _ = self?.send(delivery)
        }
    }
}
