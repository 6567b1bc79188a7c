// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
import OfflineModel
import OfflineSources

extension SectionMuxer {
    /// Adds the times at which the pictures of a section have another encoding than the preceding
    /// initialization section.
    func addUnreadable(
        of section: StreamSection,
        _ comparison: SectionComparison,
        to outcome: SectionComparison.Outcome
    ) async throws(MediaError) -> SectionComparison.Outcome {
        let stated = comparison.durations.compactMap { $0 }
        guard case .whole(var omissions) = outcome, let header = section.header,
            stated.count == section.segments.count,
            let first = parts.indices.dropFirst(header + 1).first(where: isMedia)
        else { return outcome }
        let sizes = section.segments.map { Int(parts[$0].size ?? 0) }
        let check = EncodingCheck(
            header: path(header),
            first: path(first),
            segments: section.segments.map(path),
            samples: SegmentSamples.numbers(sizes, stated)
        )
        omissions.unreadable = comparison.ranges(of: try await check.run(), stated)
        return .whole(omissions)
    }

    private func isMedia(_ number: Int) -> Bool {
        !parts[number].part.isInitialization && !parts[number].part.isGap
    }

    private func path(_ number: Int) -> String {
        environment.directory.part(parts[number].fileName, of: id)
    }
}
