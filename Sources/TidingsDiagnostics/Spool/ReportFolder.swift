// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A folder with one file for each report, the oldest first by name.
///
/// A file appears under its name whole or not at all, and only its owner can read it. Several
/// processes may use one folder.
struct ReportFolder: Sendable {
    /// Larger files are no reports of ours.
    private static let fileLimit = 4 << 20
    private static let suffix = ".report.json"
    private static let partSuffix = ".part"
    /// After so long an unfinished file has no writer any more.
    private static let partAge: TimeInterval = 3_600

    let path: String
    let countLimit: Int
    let byteLimit: Int

    func create() throws(SystemError) {
        try SystemFile.makeFolder(path)
        for name in allNames() where name.hasSuffix(Self.partSuffix) {
            let age = SystemFile.facts(of: fullPath(name))?.modified.timeIntervalSinceNow ?? 0
            if -age > Self.partAge { try? SystemFile.remove(fullPath(name)) }
        }
    }

    func write(_ data: Data, named name: String) throws {
        let part = fullPath(name + Self.partSuffix)
        do {
            try SystemFile.write(data, to: part)
            try SystemFile.rename(part, to: fullPath(name + Self.suffix), in: path)
        } catch {
            try? SystemFile.remove(part)
            throw error
        }
    }

    /// The names of the reports, the oldest first.
    func names() -> [String] {
        allNames().filter { $0.hasSuffix(Self.suffix) }.sorted()
    }

    func read(_ name: String) -> Data? {
        SystemFile.read(fullPath(name), limit: Self.fileLimit)
    }

    /// Deletes the oldest until the limits are kept and returns how many those were; the newest
    /// stays.
    func removeSurplus() -> Int {
        let sizes = names().map { ($0, SystemFile.facts(of: fullPath($0))?.size ?? 0) }
        var count = sizes.count
        var bytes = sizes.reduce(0) { $0 + $1.1 }
        var removed = 0
        for (name, size) in sizes.dropLast() where count > countLimit || bytes > byteLimit {
            guard (try? SystemFile.remove(fullPath(name))) != nil else { continue }
            count -= 1
            bytes -= size
            removed += 1
        }
        return removed
    }

    /// Deletes all reports and returns the first failure.
    func removeAll() -> SystemError? {
        var failure: SystemError?
        for name in names() {
            do {
                try SystemFile.remove(fullPath(name))
            } catch {
                failure = failure ?? error
            }
        }
        return failure
    }

    private func allNames() -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }

    private func fullPath(_ name: String) -> String { "\(path)/\(name)" }
}
