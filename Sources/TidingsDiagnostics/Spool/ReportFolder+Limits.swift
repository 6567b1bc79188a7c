// SPDX-License-Identifier: Apache-2.0
import Foundation

extension ReportFolder {
    /// Deletes what is too old and then, until the limits are kept, errors before crashes and the
    /// oldest first.
    ///
    /// The one that would go last stays, however large it is.
    ///
    /// - Parameter now: The date.
    /// - Returns: How many were deleted.
    func removeSurplus(at now: Date) -> Int {
        var kept: [(name: ReportName, size: Int)] = []
        var removed = 0
        for name in names() {
            guard let facts = facts(of: name) else {
                // No regular file: it counts for nothing and is put aside when it is read.
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

    /// Deletes all reports, those that could not be read included, and returns the first failure.
    ///
    /// What was not finished goes too, as a process that was killed may have left it. One that is
    /// being written by a process that lives is lost to it, which counts it: whoever deletes all
    /// does not want to find it afterwards.
    func removeAll() -> SystemError? {
        var failure: SystemError?
        // In this order: what is finished in between is among the reports.
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

    /// Deletes a report by its identifier and returns whether it was there.
    func remove(id: Report.ID) throws(SystemError) -> Bool {
        for name in names() where name.mayBe(id) {
            if !name.isSurely(id) {
                guard case .report(let report) = read(name), report.id == id else { continue }
            }
            return try remove(name)
        }
        return false
    }
}
