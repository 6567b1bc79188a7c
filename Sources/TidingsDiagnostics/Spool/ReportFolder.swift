// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles

/// A folder with one file per report.
///
/// A file appears under its name complete or not at all, and only the owner can read the file.
/// Several processes may share the folder.
struct ReportFolder: Sendable {
    /// The maximum size of a report, because larger files are not reports.
    static let fileLimit = 4 << 20
    private static let partSuffix = ".part"
    /// The age in seconds from which an unfinished file has no writer left.
    private static let partAge: TimeInterval = 3_600

    /// The reporter's folder, which contains this folder.
    let root: String
    let countLimit: Int
    let byteLimit: Int
    /// The maximum age of a report in seconds.
    let ageLimit: TimeInterval
    let quarantine: Quarantine

    /// Creates a value without creating the folder.
    init(
        path: String,
        countLimit: Int,
        byteLimit: Int,
        ageLimit: TimeInterval = 90 * 86_400
    ) {
        root = path
        self.countLimit = countLimit
        self.byteLimit = byteLimit
        self.ageLimit = ageLimit
        quarantine = Quarantine(path: "\(path)/quarantine")
    }

    var path: String { "\(root)/spool" }

    /// Creates the folder, moves in reports of earlier versions, and deletes abandoned unfinished
    /// files.
    func create() throws(SystemError) {
        try SystemFile.makeFolder(path)
        for name in SystemFile.names(in: root) where ReportName(file: name) != nil {
            // Another process may have moved the report first.
            try? SystemFile.rename("\(root)/\(name)", to: fullPath(name))
        }
        for folder in [root, path] { removeAbandonedParts(in: folder) }
    }

    /// The paths of unfinished reports, including the reports of earlier versions beside this
    /// folder.
    var parts: [String] {
        [root, path].flatMap { folder in
            SystemFile.names(in: folder).filter { name in
                name.hasSuffix(Self.partSuffix)
                    && ReportName(file: String(name.dropLast(Self.partSuffix.count))) != nil
            }.map { "\(folder)/\($0)" }
        }
    }

    private func removeAbandonedParts(in folder: String) {
        for name in SystemFile.names(in: folder) where name.hasSuffix(Self.partSuffix) {
            let file = "\(folder)/\(name)"
            let age = SystemFile.facts(of: file)?.modified.timeIntervalSinceNow ?? 0
            if -age > Self.partAge { _ = try? SystemFile.remove(file) }
        }
    }

    func write(_ data: Data, named name: ReportName) throws(SystemError) {
        // The owner of this folder could not read files that another user writes there.
        guard FileIdentity(of: path, S_IFDIR, owner: geteuid()) != nil else {
            errno = SystemFile.owner(of: path) == nil ? ENOENT : EPERM
            throw SystemError("open")
        }
        let part = fullPath(name.file + Self.partSuffix)
        do {
            try SystemFile.create(part, content: data)
            try SystemFile.rename(part, to: fullPath(name.file))
        } catch {
            _ = try? SystemFile.remove(part)
            throw error
        }
    }

    /// Returns the names of the reports, oldest first.
    func names() -> [ReportName] {
        SystemFile.names(in: path).compactMap { ReportName(file: $0) }.sorted()
    }

    /// Reads a report.
    ///
    /// An unreadable file moves to the quarantine and is not read again.
    func read(_ name: ReportName) -> ReportReadResult {
        let file = fullPath(name.file)
        switch SystemFile.content(of: file, limit: Self.fileLimit) {
        case .whole(let data):
            if let report = try? ReportFormat.decode(data) { return .report(report) }
            return .damaged(isAway: quarantine.add(file))
        case .unusable: return .damaged(isAway: quarantine.add(file))
        case .foreign: return .foreign
        case .missing, .unavailable: return .none
        }
    }

    /// Deletes a report and returns whether the report existed.
    func remove(_ name: ReportName) throws(SystemError) -> Bool {
        try SystemFile.remove(fullPath(name.file))
    }

    func facts(of name: ReportName) -> SystemFile.Facts? {
        SystemFile.facts(of: fullPath(name.file))
    }

    private func fullPath(_ name: String) -> String { "\(path)/\(name)" }
}

/// The result of reading a report.
enum ReportReadResult {
    case report(Report)
    /// The file is gone or cannot be read at the moment.
    case none
    /// The file belongs to another user and is left alone.
    case foreign
    /// The file can never be read.
    case damaged(isAway: Bool)
}
