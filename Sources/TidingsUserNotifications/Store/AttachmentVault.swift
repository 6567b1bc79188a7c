// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

/// Copies the files that come with notifications, and forgets the copies that nothing names.
///
/// The name of a copy begins with the name of the run that made it. As long as that run is alive,
/// no other removes what the record does not name yet.
final class AttachmentVault: Sendable {
    /// How large a file may be.
    static let limit = 50 << 20
    /// How large all copies may be together.
    static let totalLimit = 500 << 20

    /// What became of the files of a content.
    struct Copies: Sendable {
        var attachments: [NotificationAttachment] = []
        /// The copies; of nobody until they are settled or discarded.
        var names: Set<String> = []
        var problems: [Problem] = []
    }

    struct Problem: Sendable {
        let attachment: NotificationAttachment
        let path: String
        let reason: NotificationAttachmentNotCopied.Reason
    }

    private struct State {
        var lastNumber = 0
        /// Copies of this run that may be in no record.
        var settled: Set<String> = []
        /// How large all copies are, once they were counted.
        var size: Int?
    }

    private let folder: AttachmentFolder
    private let owner: String
    private let limits: (file: Int, total: Int)
    let queue = StoreQueue("tidings.notification-attachments")
    /// Of its own, since a disk far away may hold a copy up.
    private let removals = StoreQueue("tidings.notification-attachments.removals")
    private let state = Lock(State())

    init(
        _ path: String,
        owner: String,
        limits: (file: Int, total: Int) = (AttachmentVault.limit, AttachmentVault.totalLimit)
    ) {
        folder = AttachmentFolder(path: path)
        self.owner = owner
        self.limits = limits
    }

    /// Copies the files among attachments.
    func copies(of attachments: [NotificationAttachment], isDurable: Bool) async -> Copies {
        await queue.run { [self] in
            var copies = Copies()
            for attachment in attachments { copy(attachment, isDurable, into: &copies) }
            return copies
        }
    }

    private func copy(
        _ attachment: NotificationAttachment,
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
            copies.problems.append(Problem(attachment: attachment, path: path, reason: reason))
            if reason.leavesFile { copies.attachments.append(attachment) }
        }
    }

    /// A name that nothing has, with the kind of the file at its end.
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

extension AttachmentVault {
    /// Copies of this run that may be in no record.
    var settled: Set<String> { state.withLock(\.settled) }

    /// Takes charge of copies that what is in memory names.
    func settle(_ names: Set<String>) {
        guard !names.isEmpty else { return }
        state.withLock { $0.settled.formUnion(names) }
    }

    /// Leaves copies to the record, which alone names them.
    func leave(_ names: Set<String>) {
        state.withLock { $0.settled.subtract(names) }
    }

    /// Removes copies that nothing names any more.
    func remove(_ names: Set<String>) async {
        guard !names.isEmpty else { return }
        await removals.run { [self] in
            for name in names { folder.remove(name) }
            // Counted again at the next need.
            state.withLock { $0.size = nil }
        }
        leave(names)
    }

    /// Removes what ended runs have left and the record does not name.
    ///
    /// Called in a transaction of the store: what another process names now is in the record.
    func removeOrphans(exceptFor named: Set<String>, isAlive: (String) -> Bool) {
        var lives: [String: Bool] = [:]
        for name in folder.copies().keys where !named.contains(name) {
            guard let owner = Self.owner(of: name) else { continue }
            let isAlive = lives[owner] ?? isAlive(owner)
            lives[owner] = isAlive
            if !isAlive { folder.remove(name) }
        }
    }

    /// The names of copies among attachments.
    func names(in attachments: [NotificationAttachment]) -> Set<String> {
        Set(attachments.lazy.compactMap(\.path).compactMap(name))
    }

    /// The name of a copy; nil if the path is not that of one.
    ///
    /// The folder may have another path now than when the record was written.
    private func name(of path: String) -> String? {
        let parts = path.split(separator: "/")
        guard parts.count > 1, let name = parts.last,
            let own = folder.path.split(separator: "/").last,
            parts[parts.count - 2] == own, Self.owner(of: name) != nil
        else { return nil }
        return String(name)
    }

    private static func owner(of name: some StringProtocol) -> String? {
        guard let owner = name.split(separator: ".").first, Runs.isName(owner) else { return nil }
        return String(owner)
    }
}
