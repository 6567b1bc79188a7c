// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Posts a message on the main actor after all work that is pending there now.
    ///
    /// Idle means that the main actor has run the work that was queued at this call, including the
    /// deliveries of this center. Then a task of background priority posts the message on the main
    /// actor, so main-actor handlers run inline. Messages posted this way keep their order. Work
    /// that is queued later may come before or after.
    ///
    /// The call does not keep the center alive. If the center is deallocated first, nothing is
    /// posted. In a program whose main actor never runs, nothing is posted either.
    ///
    /// ```swift
    /// center.postWhenIdle(SearchIndexOutdated())
    /// ```
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - subject: The object that the message is about, if any. The object is kept until the
    ///     message is posted.
    ///   - fileID: The posting file, for watchers of the center.
    ///   - line: The posting line.
    public func postWhenIdle<M: Message>(
        _ message: M,
        about subject: (any AnyObject & Sendable)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let source = SourceLocation(fileID: fileID, line: line)
        let delivery = Delivery(message: message, about: subject, source: source)
        // The task is detached, because the post comes later and must not inherit task-local values
        // of this task.
        Task.detached(priority: .background) { @MainActor [weak self] in
            _ = self?.send(delivery)
        }
    }
}
