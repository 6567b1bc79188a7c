// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
import OfflineModel
import TidingsHTTP

/// The information about the segments of a representation, including inherited information.
struct SegmentInformation: Hashable, Sendable {
    /// The three ways to list segments.
    enum Kind: String, Hashable, CaseIterable {
        case template = "SegmentTemplate"
        case list = "SegmentList"
        case base = "SegmentBase"
    }

    /// Segments of equal duration that follow each other.
    struct TimelineEntry: Hashable {
        /// The time of the first segment, or nil if this segment follows the previous entry.
        var time: Int?
        /// The duration of each segment.
        var duration: Int
        /// The number of segments after the first one, or a negative number for as many as fit.
        var repetitions: Int
    }

    /// A file, or a range of a file.
    struct File: Hashable {
        /// The reference to the file, or nil for the base address.
        var reference: String?
        /// The range, or nil for the whole file.
        var range: HTTPByteRange?
    }

    /// The way to list segments, or nil if the base address is the only file.
    private(set) var kind: Kind?
    /// The template of the addresses of segments.
    private(set) var media: AddressTemplate?
    /// The template of the initialization section's address.
    private(set) var initializationTemplate: AddressTemplate?
    /// The initialization section.
    private(set) var initialization: File?
    /// The units of time in a second.
    private(set) var timescale = 1
    /// The duration of each segment, or nil if a timeline states the durations.
    private(set) var duration: Int?
    private(set) var startNumber = 1
    private(set) var endNumber: Int?
    /// The time of the media at which the period starts.
    private(set) var timeOffset = 0
    private(set) var timeline: [TimelineEntry]?
    private(set) var files: [File] = []

    /// The time in seconds at which the period starts on the clock of the media.
    var offsetSeconds: Double { Double(timeOffset) / Double(timescale) }

    private static let largestNumber = 1 << 60

    /// Adds the information of an element, which replaces inherited information.
    mutating func add(_ element: XMLTree) throws(PlaylistError) {
        for kind in Kind.allCases {
            guard let own = element.child(kind.rawValue) else { continue }
            if self.kind != kind { self = SegmentInformation() }
            self.kind = kind
            try read(own)
        }
    }

    private mutating func read(_ element: XMLTree) throws(PlaylistError) {
        if let text = element["media"] { media = try AddressTemplate(text) }
        if let text = element["initialization"] {
            initializationTemplate = try AddressTemplate(text)
        }
        if let child = element.child("Initialization") {
            initialization = try Self.file(child, "sourceURL", range: "range")
        }
        timescale = try Self.number(element["timescale"], least: 1) ?? timescale
        duration = try Self.number(element["duration"], least: 1) ?? duration
        startNumber = try Self.number(element["startNumber"]) ?? startNumber
        endNumber = try Self.number(element["endNumber"]) ?? endNumber
        timeOffset = try Self.number(element["presentationTimeOffset"]) ?? timeOffset
        if let child = element.child("SegmentTimeline") { timeline = try Self.timeline(child) }
        let own = element.children("SegmentURL")
        if own.isEmpty { return }
        files = []
        for child in own { files.append(try Self.file(child, "media", range: "mediaRange")) }
    }

    private static func timeline(_ element: XMLTree) throws(PlaylistError) -> [TimelineEntry] {
        var entries: [TimelineEntry] = []
        for child in element.children("S") {
            guard let duration = try number(child["d"], least: 1) else {
                throw .manifest("a segment has no duration")
            }
            let count = child["r"].map { $0.hasPrefix("-") } == true ? -1 : try number(child["r"])
            entries.append(
                TimelineEntry(
                    time: try number(child["t"]),
                    duration: duration,
                    repetitions: count ?? 0
                )
            )
        }
        return entries
    }

    private static func file(
        _ element: XMLTree,
        _ reference: String,
        range: String
    ) throws(PlaylistError) -> File {
        guard let text = element[range] else { return File(reference: element[reference]) }
        let numbers = text.split(separator: "-", omittingEmptySubsequences: false)
            .map { DecimalNumber.integer($0.trimmingSpaces) }
        guard numbers.count == 2, let first = numbers[0], let last = numbers[1], first <= last,
            last < largestNumber
        else { throw .manifest("a byte range is damaged") }
        let length = Int64(last - first + 1)
        return File(
            reference: element[reference],
            range: HTTPByteRange(offset: Int64(first), length: length)
        )
    }

    /// Returns a number, or nil without a string.
    static func number(_ text: String?, least: Int = 0) throws(PlaylistError) -> Int? {
        guard let text else { return nil }
        guard let number = DecimalNumber.integer(text[...].trimmingSpaces), number >= least,
            number <= largestNumber
        else { throw .manifest("a number is damaged") }
        return number
    }
}
