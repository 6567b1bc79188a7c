// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import TidingsFiles
package import TidingsSQLite

/// The registry's file, and the files that a migration or damage leaves beside it.
package struct RegistryFiles: Hashable, Sendable {
    private static let fileExtension = ".sqlite"
    private static let damagedMark = "-damaged-"
    private static let logs = ["-wal", "-shm"]

    /// The path of the registry.
    package let registry: String
    /// The path of the registry without its extension.
    private let base: String

    /// Creates the files for the path of a registry.
    package init(_ registry: String) {
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

    /// Whether the log may contain committed rows that the registry's file lacks.
    var hasLog: Bool { (SystemFile.size(of: registry + Self.logs[0]) ?? 0) > 0 }

    /// Whether a log has content although the registry is missing or empty.
    ///
    /// SQLite would start a new registry and delete the log with the committed rows.
    package var hasOnlyLog: Bool {
        isEmpty && Self.logs.contains { (SystemFile.size(of: registry + $0) ?? 0) > 0 }
    }

    /// Whether a damaged registry is set aside and a new one has not replaced it.
    package var isReplacing: Bool { SystemFile.exists(marker) }

    /// Throws if the registry's path is taken by anything other than a regular file.
    ///
    /// SQLite would follow a link, wait for a pipe, and create the target of a link for all users.
    package func requireRegularFile() throws(SQLiteError) {
        guard SystemFile.exists(registry), SystemFile.size(of: registry) == nil else { return }
        throw SQLiteError(
            .inputOutput,
            "The registry \(registry) is a link, a folder or another special file. Replace it by "
                + "a regular file, or move it away. To keep a library elsewhere, use --library."
        )
    }

    /// Whether the registry is missing or has no content.
    package var isEmpty: Bool {
        SystemFile.isMissing(registry) || SystemFile.size(of: registry) == 0
    }

    /// The new path of a damaged registry that no new registry has replaced, or nil without one.
    private var unfinished: String? {
        SystemFile.read(marker, limit: 256).flatMap { damaged(String(decoding: $0, as: UTF8.self)) }
    }

    /// Returns the path of the damaged registry with a stored name, or nil for any other name.
    package func damaged(_ name: String) -> String? {
        let prefix = (base as NSString).lastPathComponent + Self.damagedMark
        guard name.hasPrefix(prefix), name.hasSuffix(Self.fileExtension), !name.contains("/") else {
            return nil
        }
        return "\((registry as NSString).deletingLastPathComponent)/\(name)"
    }

    /// Renames the damaged registry with its logs, and the folder of its unfinished downloads.
    ///
    /// This method deletes and replaces nothing, and accepts a missing registry. After a kill in
    /// between, the next start finds the damage again, or `finishSettingAside` renames the
    /// remaining files. Call `endSettingAside` after the creation of the new registry.
    ///
    /// - Returns: The new path of the registry.
    package func setAside(work: String, at date: Date) throws(SystemError) -> String {
        let damaged = try mark(work, at: date)
        // The folder comes first. If a kill then leaves the registry in place, the next start runs
        // this code again.
        if !SystemFile.names(in: work).isEmpty {
            try SystemFile.renameDurably(work, to: Self.work(of: damaged))
            try SystemFile.makeFolder(work)
        }
        // The registry comes before the logs, because a registry without logs may seem intact.
        if !SystemFile.isMissing(registry) {
            try SystemFile.renameDurably(registry, to: damaged)
        }
        try renameLogs(to: damaged)
        return damaged
    }

    /// Renames the logs that a killed `setAside` left and that a new registry would delete.
    ///
    /// - Returns: The new path of the damaged registry, even if that registry was missing, or nil
    ///   if no replacement is unfinished.
    package func finishSettingAside() throws(SystemError) -> String? {
        guard let damaged = unfinished else { return nil }
        // Any other logs belong to the new registry, or to a registry that has not been renamed.
        if SystemFile.isMissing(registry), SystemFile.exists(damaged) {
            try renameLogs(to: damaged)
        }
        return damaged
    }

    /// Records that a new registry has replaced the damaged one.
    package func endSettingAside() throws(SystemError) {
        try SystemFile.remove(marker)
    }

    /// Writes the marker with the damaged registry's new name, and returns the new path.
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

    /// Returns an unused path with the date and a number that distinguishes paths of the same
    /// second.
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
