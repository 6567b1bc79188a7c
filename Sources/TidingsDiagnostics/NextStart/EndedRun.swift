// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What a run has left, read once and believed in nothing.
struct EndedRun: Sendable {
    private static let imagesLimit = 4 << 20

    let folder: RunFolder
    let facts: RunFacts?
    let record: RunRecord?
    let crashes: RunCrashes

    init(_ folder: RunFolder) {
        self.folder = folder
        facts = folder.facts()
        let record = RunRecord.read(folder.livePath)
        self.record = record
        crashes = .read(
            folder.capturePaths,
            lastActivity: record?.breadcrumbs.last?.breadcrumb.date
        )
    }

    var end: PreviousRun { PreviousRun(crashes, end: record?.end) }

    /// When it ended, as far as that is known.
    var ended: Date? {
        crashes.crashes.last?.capture.date ?? SystemFile.facts(of: folder.livePath)?.modified
    }

    /// Whether it crashed within so many seconds of its start.
    func crashedSoon(_ limit: TimeInterval) -> Bool {
        guard end == .crashed, let facts, let ended else { return false }
        return ended.timeIntervalSince(facts.started) < limit
    }

    /// What was loaded when it began, if that was written.
    var images: ImageList? {
        SystemFile.read(folder.imagesPath, limit: Self.imagesLimit)
            .flatMap { try? JSONDecoder().decode(ImageList.self, from: $0) }
    }

    var scope: ScopeRecord {
        record?.scope.flatMap { ScopeRecord($0) } ?? ScopeRecord(user: nil, values: [:])
    }
}
