// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock

extension UserNotificationCenter {
    /// Changes the record, and removes copies that are no longer referenced.
    ///
    /// Call this in a closure on the task queue, so that only one change runs at a time.
    func change<Result: Sendable>(
        _ body: @escaping @Sendable (inout NotificationRecord) throws -> Result
    ) async throws -> Result {
        guard let attachmentStore else { return try await store.update(body) }
        // Read this first, because copies that are retained later are found in memory below.
        let retained = attachmentStore.retained
        let (result, before, after) = try await store.update { [owner] record in
            let before = attachmentStore.names(in: record.attachments(removableBy: owner))
            let result = try body(&record)
            return (result, before, attachmentStore.names(in: record.attachments))
        }
        let inMemory = attachmentStore.names(in: state.withLock(\.inbox.attachments))
        let unnamed = before.union(retained).subtracting(inMemory)
        attachmentStore.release(unnamed.intersection(after))
        await attachmentStore.remove(unnamed.subtracting(after))
        return result
    }

    /// Returns a scheduled request with copies of the files, and the names of the copies.
    func copyFiles(
        of request: UserNotificationRequest
    ) async throws(UserNotificationError) -> (request: UserNotificationRequest, Set<String>) {
        guard let attachmentStore, request.content.hasFiles else { return (request, []) }
        let copies = await attachmentStore.copies(of: request.content.attachments, isDurable: true)
        if copies.failures.contains(where: { $0.reason == .noRoom }) {
            await attachmentStore.remove(copies.names)
            throw .noRoomForAttachments(of: request.identifier)
        }
        report(copies.failures, of: request.identifier)
        var copied = request
        copied.content.attachments = copies.attachments
        return (copied, copies.names)
    }

    /// Returns a queued request with copies of the files, as the center shows and lists the
    /// request.
    func copyFiles(of queued: Inbox.QueuedRequest) async -> Inbox.QueuedRequest {
        // The files of scheduled requests are already copied.
        guard let attachmentStore, queued.content.hasFiles, queued.scheduleNumber == nil else {
            return queued
        }
        let copies = await attachmentStore.copies(of: queued.content.attachments, isDurable: false)
        report(copies.failures, of: queued.delivery.identifier)
        var copied = queued
        copied.content.attachments = copies.attachments
        if copies.failures.contains(where: { !$0.reason.leavesFile }) {
            copied.degraded.insert(.image)
        }
        state.withLock { [copied] in $0.inbox.update(copied) }
        attachmentStore.retain(copies.names)
        return copied
    }

    /// Removes copies of requests that ended before they were stored.
    func removeUnnamedCopies() {
        guard let attachmentStore else { return }
        let retained = attachmentStore.retained
        guard !retained.isEmpty else { return }
        let inMemory = attachmentStore.names(in: state.withLock(\.inbox.attachments))
        guard !retained.isSubset(of: inMemory) else { return }
        taskQueue.enqueue { [self] in
            // Copies that remain after an error are removed with the next change.
            try? await change { _ in }
        }
    }

    private func report(_ failures: [AttachmentStore.Failure], of identifier: String) {
        for failure in failures {
            let report = NotificationAttachmentNotCopied(
                identifier: identifier,
                path: failure.path,
                reason: failure.reason
            )
            messages.post(UserNotificationStoreFailed(error: UserNotificationError(report)))
        }
    }
}

extension UserNotificationContent {
    var hasFiles: Bool { attachments.contains { $0.path != nil } }
}

extension NotificationRecord {
    /// The attachments of all scheduled and delivered notifications.
    var attachments: [UserNotificationPicture] {
        schedule.items.flatMap(\.request.content.attachments)
            + delivered.flatMap(\.notification.content.attachments)
    }

    /// All attachments, except in requests that another living run is sending.
    fileprivate func attachments(removableBy owner: String) -> [UserNotificationPicture] {
        let items = schedule.items.filter { item in
            guard let claim = item.claim, claim != owner else { return true }
            return !RunRegistry.isAlive(claim)
        }
        return items.flatMap(\.request.content.attachments)
            + delivered.flatMap(\.notification.content.attachments)
    }
}

extension UserNotificationError {
    fileprivate static func noRoomForAttachments(of identifier: String) -> UserNotificationError {
        UserNotificationError(
            .diskFull,
            "There is no room for copies of the files of “\(identifier)”, so it was not stored. "
                + "Free some space, or request it without them."
        )
    }
}
