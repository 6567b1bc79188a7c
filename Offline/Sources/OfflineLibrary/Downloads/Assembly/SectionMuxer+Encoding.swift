// SPDX-License-Identifier: Apache-2.0

extension SectionMuxer {
    /// Adds the times at which the segments of a section are of another encoding than the
    /// initialization section before them.
    func addUnreadable(
        of section: StreamSection,
        _ comparison: SectionComparison,
        to outcome: SectionComparison.Outcome
    ) async throws(MediaError) -> SectionComparison.Outcome {
        let stated = comparison.durations.compactMap { $0 }
        guard case .whole(var omissions) = outcome, let header = section.header,
            stated.count == section.segments.count,
            comparison.contents.count == section.segments.count
        else { return outcome }
        let sizes = section.segments.map { Int(parts[$0].size ?? 0) }
        let check = FragmentCheck(
            header: path(header),
            segments: section.segments.map(path),
            contents: comparison.contents,
            samples: FragmentSamples.numbers(sizes, stated)
        )
        omissions.unreadable = try await check.run().mapValues { numbers in
            comparison.ranges(of: numbers, stated)
        }
        return .whole(omissions)
    }

    private func path(_ number: Int) -> String {
        environment.directory.part(parts[number].fileName, of: id)
    }
}
