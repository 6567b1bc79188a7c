// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles
import TidingsSQLite

/// The registry's file, and the files that a migration or a damage leaves beside it.
struct RegistryFiles: Hashable, Sendable {
    private static let fileExtension = ".sqlite"
    private static let damagedMark = "-damaged-"
    private static let logs = ["-wal", "-shm"]

    /// The path of the registry.
    let registry: String
    /// The path of the registry without its extension.
    private let base: String

    init(_ registry: String) {
        self.registry = registry
        base =
            registry.hasSuffix(Self.fileExtension)
            ? String(registry.dropLast(Self.fileExtension.count)) : registry
    }

    /// Returns the path of the copy of a registry of an earlier version.
    func copy(ofVersion version: Int) -> String { "\(base)-\(version)\(Self.fileExtension)" }

    /// Returns the path of the folder of the unfinished downloads of a damaged registry.
    static func work(of damaged: String) -> String {
        "\(damaged.dropLast(fileExtension.count))-work"
    }

    /// The file with the name of the damaged registry, until a new one has replaced it.
    private var marker: String { "\(base).damaged" }

    /// The file of `RegistryMark`.
    var mark: String { "\(base).whole" }

    /// Whether committed rows may be in the log alone.
    var hasLog: Bool { (SystemFile.size(of: registry + Self.logs[0]) ?? 0) > 0 }

    /// Whether there is no registry, not even one without content, but a log of one.
    ///
    /// SQLite would begin a new registry and delete the log with its committed rows.
    var hasOnlyLog: Bool {
        isEmpty && Self.logs.contains { (SystemFile.size(of: registry + $0) ?? 0) > 0 }
    }

    /// Whether a damaged registry is set aside and a new one has not replaced it.
    var isReplacing: Bool { SystemFile.exists(marker) }

    /// Throws if something else than a regular file has the registry's name.
    ///
    /// SQLite would follow a link, wait for a pipe, and create the target of a link for all users.
    func requireRegularFile() throws(SQLiteError) {
        guard SystemFile.exists(registry), SystemFile.size(of: registry) == nil else { return }
        throw SQLiteError(
            .inputOutput,
            "The registry \(registry) is a link, a folder or another special file. Replace it by "
                + "a regular file, or move it away. To keep a library elsewhere, use --library."
        )
    }

    /// Whether the registry is missing or has no content.
    var isEmpty: Bool {
        SystemFile.isMissing(registry) || SystemFile.size(of: registry) == 0
    }

    /// The new path of a damaged registry that no new registry has replaced; nil without one.
    private var unfinished: String? {
        SystemFile.read(marker, limit: 256).flatMap { damaged(String(decoding: $0, as: UTF8.self)) }
    }

    /// Returns the path of the damaged registry with a stored name; nil for any other name.
    func damaged(_ name: String) -> String? {
        let prefix = (base as NSString).lastPathComponent + Self.damagedMark
        guard name.hasPrefix(prefix), name.hasSuffix(Self.fileExtension), !name.contains("/") else {
            return nil
        }
        return "\((registry as NSString).deletingLastPathComponent)/\(name)"
    }

    /// Renames the damaged registry with its logs, and the folder of its unfinished downloads.
    ///
    /// Deletes and replaces nothing, and tolerates a missing registry. After a kill in between, the
    /// damage is found again, or `finishSettingAside` renames the rest. Call `endSettingAside`
    /// after the creation of the new registry.
    ///
    /// - Returns: The new path of the registry.
    func setAside(work: String, at date: Date) throws(SystemError) -> String {
        let damaged = try mark(work, at: date)
        // The folder first: with the registry still in place, a kill leads here again.
        if !SystemFile.names(in: work).isEmpty {
            try SystemFile.renameDurably(work, to: Self.work(of: damaged))
            try SystemFile.makeFolder(work)
        }
        // The registry before its logs, because it may seem intact without them.
        if !SystemFile.isMissing(registry) {
            try SystemFile.renameDurably(registry, to: damaged)
        }
        try renameLogs(to: damaged)
        return damaged
    }

    /// Renames the logs that a killed `setAside` left; a new registry would delete them.
    ///
    /// - Returns: The new path of that damaged registry, also if it was missing; nil without one.
    func finishSettingAside() throws(SystemError) -> String? {
        guard let damaged = unfinished else { return nil }
        // Any other logs belong to a registry that has not been renamed, or to the new one.
        if SystemFile.isMissing(registry), SystemFile.exists(damaged) {
            try renameLogs(to: damaged)
        }
        return damaged
    }

    /// Records that a new registry has replaced the damaged one.
    func endSettingAside() throws(SystemError) {
        try SystemFile.remove(marker)
    }

    /// Writes the marker with the damaged registry's new name, and returns its path.
    private func mark(_ work: String, at date: Date) throws(SystemError) -> String {
        if let damaged = unfinished, !SystemFile.exists(damaged),
            SystemFile.names(in: work).isEmpty || !SystemFile.exists(Self.work(of: damaged))
        {
            return damaged
        }
        let damaged = unusedName(at: date)
        try SystemFile.remove(marker)
        try SystemFile.create(marker, content: Data((damaged as NSString).lastPathComponent.utf8))
        SystemFile.syncFolder((marker as NSString).deletingLastPathComponent)
        return damaged
    }

    private func renameLogs(to damaged: String) throws(SystemError) {
        for log in Self.logs {
            guard SystemFile.exists(registry + log), !SystemFile.exists(damaged + log) else {
                continue
            }
            try SystemFile.renameDurably(registry + log, to: damaged + log)
        }
    }

    /// Returns a name with the date; names of the same second have an increasing number, too.
    private func unusedName(at date: Date) -> String {
        let style = Date.ISO8601FormatStyle(timeZoneSeparator: .omitted, timeZone: .gmt)
        let time = date.formatted(
            style.year().month().day().timeSeparator(.omitted).time(
                includingFractionalSeconds: false
            )
        )
        var number = 1
        while true {
            let count = number < 10 ? "0\(number)" : "\(number)"
            let name = "\(base)\(Self.damagedMark)\(time)-\(count)\(Self.fileExtension)"
            let names = [name, Self.work(of: name)] + Self.logs.map { name + $0 }
            if !names.contains(where: SystemFile.exists) { return name }
            number += 1
        }
    }
}
