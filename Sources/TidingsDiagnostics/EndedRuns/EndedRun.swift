// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles

/// The records of an ended run, read once.
///
/// All records are untrusted.
struct EndedRun: Sendable {
    private static let imagesLimit = 4 << 20

    let folder: RunFolder
    let metadata: RunMetadata
    let record: RunRecord?
    let crashes: RunCrashes

    init(_ folder: RunFolder) {
        self.folder = folder
        metadata = folder.metadata()
        let record = RunRecord.read(folder.livePath)
        self.record = record
        crashes = .read(
            folder.capturePaths,
            lastActivity: record?.breadcrumbs.last?.breadcrumb.date
        )
    }

    var end: PreviousRun { PreviousRun(crashes, end: record?.end) }

    /// The date of the end, as far as known.
    var ended: Date? {
        if let crash = crashes.crashes.last?.capture.date { return crash }
        // The system does not record the time of each change of a mapped file.
        let dates = [
            SystemFile.facts(of: folder.livePath)?.modified,
            record?.breadcrumbs.last?.breadcrumb.date,
        ]
        return dates.compactMap(\.self).max()
    }

    /// Whether the run crashed within `limit` seconds of its start.
    func crashedWithin(_ limit: TimeInterval) -> Bool {
        guard end == .crashed, let ended else { return false }
        return ended.timeIntervalSince(metadata.started) < limit
    }

    /// The images that were loaded at the start, if the list of images was written.
    var images: ImageList? {
        SystemFile.read(folder.imagesPath, limit: Self.imagesLimit)
            .flatMap { try? JSONDecoder().decode(ImageList.self, from: $0) }
    }

    var scope: ScopeRecord {
        record?.scope.flatMap { ScopeRecord($0) } ?? ScopeRecord(user: nil, values: [:])
    }
}
