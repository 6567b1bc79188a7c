// SPDX-License-Identifier: Apache-2.0

/// The maximum lengths and counts of an event's fields, within the limits of servers.
///
/// Lengths are in code points unless noted.
struct SentryLimits: Sendable {
    var errors = 16
    var message = 8_192
    var errorType = 256
    var frames = 250
    /// The number of threads beside the crashed thread, each with a tenth of the frames.
    var threads = 64
    var function = 512
    var path = 256
    var images = 256
    var breadcrumbs = 100
    var breadcrumb = 4_096
    var location = 1_024
    var tags = 64
    var tag = 200
    var extra = 200
    var extraText = 16_384
    /// The size of all extra values together, in bytes.
    var extraBytes = 200_000
    var output = 7_500
    var fingerprint = 32
    var short = 128
    var contextText = 256
    var registers = 128

    /// The maximum size of an event in bytes, because servers refuse events from 1,000,000 bytes.
    static let eventBytes = 950_000

    /// The limits to try in order, of which the last always make the event small enough.
    static let attempts = [
        SentryLimits(),
        SentryLimits(
            errors: 8,
            message: 2_048,
            threads: 16,
            breadcrumb: 512,
            location: 256,
            extraText: 1_024,
            extraBytes: 50_000,
            output: 4_096
        ),
        SentryLimits(
            errors: 4,
            message: 1_024,
            frames: 100,
            threads: 2,
            function: 256,
            images: 64,
            breadcrumbs: 30,
            breadcrumb: 256,
            location: 128,
            tags: 32,
            extra: 64,
            extraText: 256,
            extraBytes: 20_000,
            output: 1_024
        ),
    ]
}
