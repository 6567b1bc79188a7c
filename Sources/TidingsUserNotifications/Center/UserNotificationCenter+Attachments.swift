// SPDX-License-Identifier: Apache-2.0
import Tidings

extension UserNotificationCenter {
    /// Changes the record, and removes copies that nothing names any more.
    ///
    /// One change at a time: it is the ledger's turn.
    func change<Result: Sendable>(
        _ body: @escaping @Sendable (inout NotificationRecord) throws -> Result
    ) async throws -> Result {
        guard let vault else { return try await store.update(body) }
        // What is settled later is named by what is in memory when this looks there.
        let settled = vault.settled
        let (result, before, after) = try await store.update { [owner] record in
            let before = vault.names(in: record.attachments(endedBy: owner))
            let result = try body(&record)
            return (result, before, vault.names(in: record.attachments))
        }
        let here = vault.names(in: state.withLock(\.inbox.attachments))
        let unnamed = before.union(settled).subtracting(here)
        vault.leave(unnamed.intersection(after))
        await vault.remove(unnamed.subtracting(after))
        return result
    }

    /// The request as it is kept: with copies of its files.
    func copied(
        _ request: UserNotificationRequest
    ) async throws(UserNotificationError) -> (request: UserNotificationRequest, Set<String>) {
        guard let vault, request.content.hasFiles else { return (request, []) }
        let copies = await vault.copies(of: request.content.attachments, isDurable: true)
        if copies.problems.contains(where: { $0.reason == .noRoom }) {
            await vault.remove(copies.names)
            throw .noRoomForAttachments(of: request.identifier)
        }
        tell(copies.problems, of: request.identifier)
        var kept = request
        kept.content.attachments = copies.attachments
        return (kept, copies.names)
    }

    /// The posting as it is shown and listed: with copies of its files.
    func copied(_ posting: Inbox.Posting) async -> Inbox.Posting {
        // What has waited has its copies.
        guard let vault, posting.content.hasFiles, posting.scheduleNumber == nil else {
            return posting
        }
        let copies = await vault.copies(of: posting.content.attachments, isDurable: false)
        tell(copies.problems, of: posting.delivery.identifier)
        var kept = posting
        kept.content.attachments = copies.attachments
        for problem in copies.problems where !problem.reason.leavesFile {
            kept.degraded.formUnion(problem.attachment.neededFeature)
        }
        state.withLock { [kept] in $0.inbox.keep(kept) }
        vault.settle(copies.names)
        return kept
    }

    /// Removes copies of what came to nothing before the store knew of it.
    func removeUnnamedCopies() {
        guard let vault else { return }
        let settled = vault.settled
        guard !settled.isEmpty else { return }
        let here = vault.names(in: state.withLock(\.inbox.attachments))
        guard !settled.isSubset(of: here) else { return }
        ledger.enqueue { [self] in
            // What stays now goes with the next change.
            try? await change { _ in }
        }
    }

    private func tell(_ problems: [AttachmentVault.Problem], of identifier: String) {
        for problem in problems {
            messages.post(
                NotificationAttachmentNotCopied(
                    identifier: identifier,
                    path: problem.path,
                    reason: problem.reason
                )
            )
        }
    }
}

extension UserNotificationContent {
    var hasFiles: Bool { attachments.contains { $0.path != nil } }
}

extension NotificationRecord {
    /// The attachments of everything.
    var attachments: [NotificationAttachment] {
        schedule.items.flatMap(\.request.content.attachments)
            + delivered.flatMap(\.notification.content.attachments)
    }

    /// The attachments of everything but what another living run is sending.
    fileprivate func attachments(endedBy owner: String) -> [NotificationAttachment] {
        let items = schedule.items.filter { item in
            guard let claim = item.claim, claim != owner else { return true }
            return !Runs.isAlive(claim)
        }
        return items.flatMap(\.request.content.attachments)
            + delivered.flatMap(\.notification.content.attachments)
    }
}

extension UserNotificationError {
    fileprivate static func noRoomForAttachments(of identifier: String) -> UserNotificationError {
        UserNotificationError(
            .diskFull,
            "There is no room to copy the files of “\(identifier)”, so it was not kept. Make some, "
                + "or request it without them."
        )
    }
}
