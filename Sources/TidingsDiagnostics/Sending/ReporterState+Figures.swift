// SPDX-License-Identifier: Apache-2.0
import Foundation

extension ReporterState {
    private static let figureLimit = 400

    /// Counts a run at the start of the run.
    mutating func countRun(of release: String, at date: Date) {
        change(release, on: date) { $0.runs += 1 }
    }

    /// Counts the end of a run on the day when the run started.
    mutating func countEnd(_ status: ReportedSession.Status, of release: String, begun: Date) {
        switch status {
        case .crashed: change(release, on: begun) { $0.crashed += 1 }
        case .vanished: change(release, on: begun) { $0.vanished += 1 }
        case .running, .ended: break
        }
    }

    private mutating func change(
        _ release: String,
        on date: Date,
        _ body: (inout RunFigures) -> Void
    ) {
        let day = RunFigures.day(of: date)
        let known = figures.firstIndex { $0.release == release && $0.day == day }
        var entry = known.map { figures[$0] } ?? RunFigures(release: release, day: day)
        body(&entry)
        if let known {
            figures[known] = entry
        } else {
            let place = figures.firstIndex { $0.day > day } ?? figures.endIndex
            figures.insert(entry, at: place)
            if figures.count > Self.figureLimit { figures.removeFirst() }
        }
    }
}
