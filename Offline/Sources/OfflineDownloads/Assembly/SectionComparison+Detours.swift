// SPDX-License-Identifier: Apache-2.0
import OfflineModel

extension SectionComparison {
    /// The largest number of consecutive segments that other segments replace.
    private static let longestDetour = 8

    /// Returns the numbers of the segments in whose place the server sent another part of the
    /// stream.
    ///
    /// The times of such segments do not follow the segment before, while the times of later
    /// segments do. Times that only start anew show nothing.
    func detours(_ kind: MediaTrack.Kind, _ stated: [Double]) -> Set<Int> {
        let offsets = offsets(kind, stated)
        var detours: Set<Int> = []
        var reference: Double?
        var number = 0
        while number < stated.count {
            defer { number += 1 }
            if discontinuities.contains(number) { reference = nil }
            guard let offset = offsets[number] else { continue }
            guard let before = reference,
                abs(offset - before) > max(0.75 * stated[number], 0.3)
            else {
                reference = offset
                continue
            }
            let later = (number + 1..<min(number + 1 + Self.longestDetour, stated.count))
                .prefix { !discontinuities.contains($0) }
            let end = later.first { later in
                offsets[later].map { abs($0 - before) <= max(stated[later] / 2, 0.3) } ?? false
            }
            if let end {
                detours.formUnion(number..<end)
                number = end - 1
            } else {
                reference = offset
            }
        }
        return detours
    }

    /// Returns by how much each segment starts after its time in the playlist.
    private func offsets(_ kind: MediaTrack.Kind, _ stated: [Double]) -> [Double?] {
        var time = 0.0
        return stated.enumerated().map { number, duration in
            time += gap(before: number) ?? 0
            defer { time += duration }
            return start(number, kind).map { $0 - time }
        }
    }

    /// Returns whether the server sent the preceding segment again in place of a segment.
    ///
    /// The segment then has the times of the preceding segment, while the times of the surrounding
    /// segments continue.
    func repeatsTheOneBefore(
        _ number: Int,
        of kind: MediaTrack.Kind,
        lasting duration: Double
    ) -> Bool {
        guard let start = self.start(number, kind), let before = self.start(number - 1, kind),
            abs(start - before) < 0.001
        else { return false }
        if let next = self.start(number + 1, kind) { return next - start > 1.5 * duration }
        return self.start(number - 2, kind).map { $0 < before } ?? false
    }
}
