// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsLock

/// Copies attached files and removes copies that are no longer referenced.
///
/// The name of a copy starts with the name of the run that made the copy. While that run is alive,
/// no other run removes a copy that is missing from the record.
final class AttachmentStore: Sendable {
    /// The maximum size of a file in bytes.
    static let limit = 50 << 20
    /// The maximum size of all copies together in bytes.
    static let totalLimit = 500 << 20

    /// The result of copying the files of one notification.
    struct Copies: Sendable {
        var attachments: [UserNotificationPicture] = []
        /// The names of the copies.
        ///
        /// The caller retains or removes them.
        var names: Set<String> = []
        var failures: [Failure] = []
    }

    struct Failure: Sendable {
        let attachment: UserNotificationPicture
        let path: String
        let reason: NotificationAttachmentNotCopied.Reason
    }

    private struct State {
        var lastNumber = 0
        /// Copies of this run that memory references and the record may not.
        var retained: Set<String> = []
        /// The size of all copies in bytes, or nil until the copies are measured.
        var size: Int?
    }

    private let folder: AttachmentFolder
    private let owner: String
    private let limits: (file: Int, total: Int)
    let queue = BlockingCallQueue("tidings.notification-attachments")
    /// A separate queue, because a copy from a slow disk may block `queue`.
    private let removals = BlockingCallQueue("tidings.notification-attachments.removals")
    private let state = Lock(State())

    init(
        _ path: String,
        owner: String,
        limits: (file: Int, total: Int) = (AttachmentStore.limit, AttachmentStore.totalLimit)
    ) {
        folder = AttachmentFolder(path: path)
        self.owner = owner
        self.limits = limits
    }

    /// Copies the attached files.
    ///
    /// - Parameters:
    ///   - attachments: The attachments. Pictures in memory stay unchanged.
    ///   - isDurable: Whether to wait until the copies are on disk.
    /// - Returns: The attachments with the paths of the copies.
    func copies(of attachments: [UserNotificationPicture], isDurable: Bool) async -> Copies {
        await queue.run { [self] in
            var copies = Copies()
            for attachment in attachments { copy(attachment, isDurable, into: &copies) }
            return copies
        }
    }

    private func copy(
        _ attachment: UserNotificationPicture,
        _ isDurable: Bool,
        into copies: inout Copies
    ) {
        guard let path = attachment.path else {
            copies.attachments.append(attachment)
            return
        }
        do throws(AttachmentFolder.Refusal) {
            let name = makeName(for: path)
            let room = limits.total - size()
            let size = try folder.copy(
                path,
                as: name,
                limit: min(limits.file, room),
                isDurable: isDurable
            )
            state.withLock { $0.size? += size }
            copies.names.insert(name)
            copies.attachments.append(attachment.with(path: "\(folder.path)/\(name)"))
        } catch {
            var reason = error.reason
            if case .tooLarge(let limit) = reason, limit < limits.file { reason = .noRoom }
            copies.failures.append(Failure(attachment: attachment, path: path, reason: reason))
            if reason.leavesFile { copies.attachments.append(attachment) }
        }
    }

    /// Returns an unused name that ends with the path extension of the file.
    private func makeName(for path: String) -> String {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let kind = (path as NSString).pathExtension
        let isPlain =
            kind.utf8.count <= 8 && kind.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return "\(owner).\(number)\(isPlain && !kind.isEmpty ? ".\(kind)" : "")"
    }

    private func size() -> Int {
        if let size = state.withLock(\.size) { return size }
        let size = folder.copies().values.reduce(0, +)
        state.withLock { $0.size = size }
        return size
    }
}

extension AttachmentStore {
    /// Copies of this run that memory references and the record may not.
    var retained: Set<String> { state.withLock(\.retained) }

    /// Protects copies that only memory references.
    func retain(_ names: Set<String>) {
        guard !names.isEmpty else { return }
        state.withLock { $0.retained.formUnion(names) }
    }

    /// Stops protecting copies, because only the record references these copies now.
    func release(_ names: Set<String>) {
        state.withLock { $0.retained.subtract(names) }
    }

    /// Removes copies that are no longer referenced.
    func remove(_ names: Set<String>) async {
        guard !names.isEmpty else { return }
        await removals.run { [self] in
            for name in names { folder.remove(name) }
            // The next copy measures the size again.
            state.withLock { $0.size = nil }
        }
        release(names)
    }

    /// Removes copies of ended runs that the record does not reference.
    ///
    /// Call this in a transaction of the store, so that the record has the copies of other
    /// processes.
    func removeOrphans(exceptFor named: Set<String>, isAlive: (String) -> Bool) {
        var liveness: [String: Bool] = [:]
        for name in folder.copies().keys where !named.contains(name) {
            guard let owner = Self.owner(of: name) else { continue }
            let isAlive = liveness[owner] ?? isAlive(owner)
            liveness[owner] = isAlive
            if !isAlive { folder.remove(name) }
        }
    }

    /// Returns the names of the copies among attachments.
    func names(in attachments: [UserNotificationPicture]) -> Set<String> {
        Set(attachments.lazy.compactMap(\.path).compactMap(name))
    }

    /// Returns the name of the copy at a path, or nil if the path belongs to no copy.
    ///
    /// The function compares only the last two components, because the folder may have moved since
    /// the record was written.
    private func name(of path: String) -> String? {
        let parts = path.split(separator: "/")
        guard parts.count > 1, let name = parts.last,
            let folderName = folder.path.split(separator: "/").last,
            parts[parts.count - 2] == folderName, Self.owner(of: name) != nil
        else { return nil }
        return String(name)
    }

    private static func owner(of name: some StringProtocol) -> String? {
        guard let owner = name.split(separator: ".").first, RunRegistry.isRunName(owner) else {
            return nil
        }
        return String(owner)
    }
}
