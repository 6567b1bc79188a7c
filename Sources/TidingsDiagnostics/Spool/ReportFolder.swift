// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A folder with one file for each report.
///
/// A file appears under its name whole or not at all, and only its owner can read it. Several
/// processes may use one folder.
struct ReportFolder: Sendable {
    /// Larger files are no reports of ours.
    static let fileLimit = 4 << 20
    private static let partSuffix = ".part"
    /// After so long an unfinished file has no writer any more.
    private static let partAge: TimeInterval = 3_600

    /// The reporter's folder, in which this one is.
    let root: String
    let countLimit: Int
    let byteLimit: Int
    /// After so many seconds a report goes.
    let ageLimit: TimeInterval
    let quarantine: Quarantine

    /// Describes a folder; nothing is made yet.
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

    /// Makes the folder, takes in what an earlier version left beside it, and deletes what nobody
    /// will finish.
    func create() throws(SystemError) {
        try SystemFile.makeFolder(path)
        for name in SystemFile.names(in: root) where ReportName(file: name) != nil {
            // Another process may have been faster.
            try? SystemFile.rename("\(root)/\(name)", to: fullPath(name), in: path)
        }
        for folder in [root, path] { removeAbandonedParts(in: folder) }
    }

    /// The paths of reports that are being written, or were by somebody who was killed; those of an
    /// earlier version lie beside the folder.
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
        // What another user has written there its owner could not read.
        guard FileIdentity(of: path, S_IFDIR, owner: geteuid()) != nil else {
            errno = SystemFile.owner(of: path) == nil ? ENOENT : EPERM
            throw SystemError("open")
        }
        let part = fullPath(name.file + Self.partSuffix)
        do {
            try SystemFile.write(data, to: part)
            try SystemFile.rename(part, to: fullPath(name.file), in: path)
        } catch {
            _ = try? SystemFile.remove(part)
            throw error
        }
    }

    /// The names of the reports, the oldest first.
    func names() -> [ReportName] {
        SystemFile.names(in: path).compactMap { ReportName(file: $0) }.sorted()
    }

    /// Reads a report; what cannot be read is put aside and never tried again.
    func read(_ name: ReportName) -> ReportReading {
        let file = fullPath(name.file)
        switch SystemFile.content(of: file, limit: Self.fileLimit) {
        case .whole(let data):
            if let report = try? ReportFormat.decode(data) { return .report(report) }
            return .damaged(isAway: quarantine.take(file))
        case .unusable: return .damaged(isAway: quarantine.take(file))
        case .foreign: return .foreign
        case .missing, .unavailable: return .none
        }
    }

    /// Deletes a report and returns whether it was there.
    func remove(_ name: ReportName) throws(SystemError) -> Bool {
        try SystemFile.remove(fullPath(name.file))
    }

    func facts(of name: ReportName) -> SystemFile.Facts? {
        SystemFile.facts(of: fullPath(name.file))
    }

    private func fullPath(_ name: String) -> String { "\(path)/\(name)" }
}

/// What became of reading a report.
enum ReportReading {
    case report(Report)
    /// It is gone, or cannot be read now.
    case none
    /// It belongs to another user, whose it stays.
    case foreign
    /// It can never be read.
    case damaged(isAway: Bool)
}
