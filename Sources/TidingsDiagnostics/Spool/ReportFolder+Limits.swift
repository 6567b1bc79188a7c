// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles

extension ReportFolder {
    /// Deletes reports until the limits are met.
    ///
    /// Reports that are too old are deleted first, then errors before crashes, oldest first.
    ///
    /// The last remaining report is kept, however large.
    ///
    /// - Parameter now: The date.
    /// - Returns: The number of deleted reports.
    func removeSurplus(at now: Date) -> Int {
        var kept: [(name: ReportName, size: Int)] = []
        var removed = 0
        for name in names() {
            guard let facts = facts(of: name) else {
                // An entry that is not a regular file does not count, and moves to the quarantine
                // when a process reads it.
                continue
            }
            // A clock that was wrong for a while must not make a report look old.
            let date = max(name.date, facts.modified)
            if now.timeIntervalSince(date) > ageLimit, let wasThere = try? remove(name) {
                removed += wasThere ? 1 : 0
            } else {
                kept.append((name, facts.size))
            }
        }
        var count = kept.count
        var bytes = kept.reduce(0) { $0 + $1.size }
        let order = kept.filter { !$0.name.isCrash } + kept.filter(\.name.isCrash)
        for (name, size) in order.dropLast() where count > countLimit || bytes > byteLimit {
            guard let wasThere = try? remove(name) else { continue }
            count -= 1
            bytes -= size
            removed += wasThere ? 1 : 0
        }
        return removed
    }

    /// Deletes all reports, including unreadable and unfinished ones, and returns the first error.
    ///
    /// A killed process may have left an unfinished file. A running process that is writing a
    /// report loses the file and counts the loss, because nothing older may appear after a
    /// deletion.
    func removeAll() -> SystemError? {
        var failure: SystemError?
        // Unfinished files are deleted first. A file that is finished in between is then among the
        // reports.
        for file in parts + names().map({ "\(path)/\($0.file)" }) {
            do {
                try SystemFile.remove(file)
            } catch {
                failure = failure ?? error
            }
        }
        let left = quarantine.removeAll()
        return failure ?? left
    }

    /// Deletes a report with the given identifier and returns whether the report existed.
    func remove(id: Report.ID) throws(SystemError) -> Bool {
        for name in names() where name.mayMatch(id) {
            if !name.matches(id) {
                guard case .report(let report) = read(name), report.id == id else { continue }
            }
            return try remove(name)
        }
        return false
    }
}
