// SPDX-License-Identifier: Apache-2.0

/// What becomes of a request whose time has passed while the program did not run.
///
/// Before a due request is sent, that is on disk. A program that is killed just then cannot know
/// later whether it was shown.
@nonexhaustive public enum OverduePolicy: String, Hashable, Sendable, Codable {
    /// It is delivered once, marked as overdue.
    ///
    /// One whose sending a killed program had begun is listed, marked as overdue, but not shown.
    case deliver
    /// As `deliver`; one whose sending a killed program had begun is shown again.
    case deliverAgain
    /// It is forgotten; one that repeats waits for its next time.
    case drop
}
