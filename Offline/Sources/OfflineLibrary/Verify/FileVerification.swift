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
        case problem(VerificationReport.Problem)
    }

    let directory: LibraryDirectory
    let registry: Registry

    /// Reads the whole file of an item.
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
        let result = try examine(present, count)
        return try registry.item(item.id) == present ? result : nil
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
            let priority = offline_priority_lower()
            defer { offline_priority_restore(priority) }
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
        .problem(VerificationReport.Problem(item, outcome, message))
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
