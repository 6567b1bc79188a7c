// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import TidingsHTTP

/// Lists the parts of representations, within limits that all representations share.
struct RepresentationParts {
    /// The number of further parts that may be listed.
    private var parts: Int
    /// The total size in bytes that the addresses of further parts may have.
    private var addressBytes: Int

    /// The shortest jump of a timeline in seconds that shows that something is missing.
    private static let leastGap = 0.5

    init(_ limits: PlaylistLimits = .init()) {
        parts = limits.segments
        addressBytes = limits.addressBytes
    }

    /// Returns the parts of a representation in a period.
    ///
    /// - Throws: `PlaylistError` for a manifest that names no segments or too many segments.
    mutating func list(
        _ representation: Representation,
        in period: Manifest.Period,
        isLast: Bool
    ) throws(PlaylistError) -> [Part] {
        let segments = representation.segments
        var result: [Part] = []
        if let file = try initialization(of: representation) {
            var part = try part(of: representation, file, nil)
            part.isInitialization = true
            result.append(part)
        }
        switch segments.kind {
        case .template where segments.media?.isNumbered == true:
            let times = try times(segments, period, isLast: isLast, count: nil)
            for span in times {
                let reference = segments.media?.address(
                    representation: representation.id,
                    bandwidth: representation.bandwidth,
                    number: span.number,
                    time: span.time
                )
                result.append(try part(of: representation, .init(reference: reference), span))
            }
        case .template where segments.media != nil:
            let reference = segments.media?.address(
                representation: representation.id,
                bandwidth: representation.bandwidth
            )
            result.append(try whole(of: representation, .init(reference: reference), period))
        case .list where !segments.files.isEmpty:
            let times = try times(segments, period, isLast: true, count: segments.files.count)
            for (file, span) in zip(segments.files, times.filter { !$0.isGap }) {
                result.append(try part(of: representation, file, span))
            }
        case .template, .list, .base, nil:
            guard representation.hasOwnAddress else {
                throw .manifest("a representation has no address")
            }
            result.append(try whole(of: representation, .init(), period))
        }
        guard result.contains(where: { !$0.isInitialization && !$0.isGap }) else {
            throw .manifest("a representation has no segments")
        }
        return result
    }

    private func initialization(
        of representation: Representation
    ) throws(PlaylistError) -> SegmentInformation.File? {
        let segments = representation.segments
        if let template = segments.initializationTemplate {
            return .init(
                reference: template.address(
                    representation: representation.id,
                    bandwidth: representation.bandwidth
                )
            )
        }
        // A single file contains the initialization section.
        let isSeparate = segments.kind == .list || segments.initialization?.reference != nil
        return isSeparate ? segments.initialization : nil
    }

    private mutating func whole(
        of representation: Representation,
        _ file: SegmentInformation.File,
        _ period: Manifest.Period
    ) throws(PlaylistError) -> Part {
        var part = try part(of: representation, file, nil)
        part.duration = period.duration
        part.identity = Self.identity(part)
        return part
    }

    private mutating func part(
        of representation: Representation,
        _ file: SegmentInformation.File,
        _ span: SegmentTimes.Span?
    ) throws(PlaylistError) -> Part {
        let address: WebAddress
        if let reference = file.reference, span?.isGap != true {
            address = try representation.base.resolving(manifest: reference)
        } else {
            address = representation.base
        }
        parts -= 1
        addressBytes -= address.text.utf8.count
        guard parts >= 0, addressBytes >= 0 else { throw SegmentTimes.tooMany }
        var part = Part(address: address, range: file.range, identity: "")
        part.duration = span.map {
            Double($0.duration) / Double(representation.segments.timescale)
        }
        part.isGap = span?.isGap == true
        part.identity = Self.identity(part)
        return part
    }

    private static func identity(_ part: Part) -> String {
        SegmentIdentity(
            address: part.address,
            range: part.range,
            duration: part.duration,
            iv: nil
        ).description
    }

    private func times(
        _ segments: SegmentInformation,
        _ period: Manifest.Period,
        isLast: Bool,
        count: Int?
    ) throws(PlaylistError) -> [SegmentTimes.Span] {
        let times = SegmentTimes(
            information: segments,
            periodDuration: period.duration,
            isLastPeriod: isLast,
            limit: parts
        )
        if let count { return try times.listed(count) }
        return try times.spans(leastGap: Self.leastGap)
    }
}
