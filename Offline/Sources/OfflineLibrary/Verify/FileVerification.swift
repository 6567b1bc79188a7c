// SPDX-License-Identifier: Apache-2.0
import COfflinePriority
import TidingsFiles
import TidingsHTTP
import TidingsSQLite

/// Compares the file of an item with the registry, and changes nothing on the disk.
struct FileVerification: Sendable {
    /// The result for an item.
    enum Result: Hashable, Sendable {
        /// The file has the recorded checksum.
        case intact
        /// There was no checksum; it is recorded now.
        case recorded
        /// The faults of the file and of the subtitles beside it.
        case problems([VerificationReport.Problem])
    }

    private let directory: LibraryDirectory
    private let registry: Registry
    private let subtitles: SubtitleVerification

    /// Creates a verification.
    ///
    /// - Parameters:
    ///   - directory: The folders of the library.
    ///   - registry: Its registry.
    ///   - acceptsSubtitles: Whether changed subtitles are recorded as they are now.
    init(directory: LibraryDirectory, registry: Registry, acceptsSubtitles: Bool = false) {
        self.directory = directory
        self.registry = registry
        subtitles = SubtitleVerification(
            directory: directory,
            registry: registry,
            index: SubtitleIndex(SystemFile.names(in: directory.media)),
            acceptsChanges: acceptsSubtitles
        )
    }

    /// Reads the whole file of an item, and the subtitles beside it.
    ///
    /// Blocks until the disk has returned all bytes.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - count: Called with the number of bytes that were read; ends the reading by an error.
    /// - Returns: The result; nil if the item has changed in the meantime.
    /// - Throws: The error of `count`, and `SQLiteError`.
    func result(of item: MediaItem, _ count: (Int) throws -> Void) throws -> Result? {
        // The list of items is as old as the verification, which may take hours.
        guard let present = try registry.item(item.id), present.state == item.state else {
            return nil
        }
        let priority = offline_priority_lower()
        defer { offline_priority_restore(priority) }
        guard var result = try examine(present, count) else { return nil }
        if !result.isWithoutFile {
            // The bytes to read are those of the files of the items alone.
            let faults = try subtitles.faults(of: present) { try count(0) }
            result = result.adding(faults.map { problem(of: $0, present) })
        }
        return try registry.item(item.id) == present ? result : nil
    }

    private func problem(
        of fault: SubtitleVerification.Fault,
        _ item: MediaItem
    ) -> VerificationReport.Problem {
        let command = "offline verify \(item.id) --accept-subtitles"
        let isUnreadable = fault.outcome == .unreadable
        let own = isUnreadable ? "" : "If the change is yours, `\(command)` keeps it. "
        let message = "\(fault.message) \(own)" + remedy(item, again: true)
        return VerificationReport.Problem(item, fault.outcome, message)
    }

    private func examine(_ item: MediaItem, _ count: (Int) throws -> Void) throws -> Result? {
        guard [.ready, .missing, .unverified].contains(item.state) else {
            let state = item.state.rawValue
            return problem(item, .unfinished, "It has no file yet: its state is \(state).")
        }
        let path = item.fileName.map(directory.mediaFile)
        guard let path, let size = SystemFile.size(of: path) else {
            return problem(item, .missing, "Its file is missing. " + remedy(item))
        }
        guard size == item.size else {
            let text = "Its file has \(size) bytes instead of \(item.size ?? 0). "
            return problem(item, .damaged, text + remedy(item))
        }
        let given = item.kind == .file ? (try? registry.options(of: item.id))?.checksum : nil
        let recorded = try registry.checksum(of: item.id)
        let digests: [Checksum.Algorithm: String]
        do {
            let algorithms = Set([.sha256] + (given.map { [$0.algorithm] } ?? []))
            digests = try FileDigest.digests(ofFileAt: path, algorithms, count)
        } catch let error as SystemError {
            let text = "Its file cannot be read (\(error.descriptionWithPath)). Check the disk. "
            return problem(item, .unreadable, text + remedy(item))
        }
        guard try registry.item(item.id) == item, let sha256 = digests[.sha256] else { return nil }
        let isAsGiven = given.map { digests[$0.algorithm] == $0.digits } ?? true
        guard isAsGiven, recorded == nil || recorded == sha256 else {
            let text = "Its file has other bytes than before, although its size is the same. "
            return problem(item, .damaged, text + remedy(item, again: true))
        }
        if recorded == nil { try registry.record(checksum: sha256, of: item) }
        return recorded == nil && given == nil ? .recorded : .intact
    }

    private func problem(
        _ item: MediaItem,
        _ outcome: VerificationReport.Outcome,
        _ message: String
    ) -> Result {
        .problems([VerificationReport.Problem(item, outcome, message)])
    }

    /// Returns the command that downloads the item again; `again` if its size is still right.
    private func remedy(_ item: MediaItem, again: Bool = false) -> String {
        guard case .address(let address) = item.origin else {
            return "Restore it from a copy."
        }
        // The item itself keeps all options, but only a file of another size makes it incomplete.
        guard again else { return "Restore it from a copy, or run: offline resume \(item.id)" }
        let options = try? registry.options(of: item.id)
        let command = SuggestedCommand(item, options ?? RequestOptions())
        return "Restore it from a copy, or run\(command.reminder()): "
            + command.get(address.text, again: true)
    }
}

extension FileVerification.Result {
    /// Whether there is no file whose subtitles could be compared.
    fileprivate var isWithoutFile: Bool {
        guard case .problems(let problems) = self else { return false }
        return problems.contains { [.missing, .unfinished].contains($0.outcome) }
    }

    fileprivate func adding(_ others: [VerificationReport.Problem]) -> Self {
        guard !others.isEmpty else { return self }
        guard case .problems(let problems) = self else { return .problems(others) }
        return .problems(problems + others)
    }
}
