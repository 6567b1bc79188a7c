// SPDX-License-Identifier: Apache-2.0

/// The layout of a run's file, with little-endian numbers.
///
/// Each record has a checksum seeded with a random key of the file, so that recorded content cannot
/// be mistaken for a record at any place in the file.
///
///     header       magic, key, checksum of both, end mark, lost events
///     scope        two slots: checksum, sequence, length, bytes
///     breadcrumbs  slots: checksum, sequence, date, level, lengths, text, location,
///                  category, data
///     text         the newest bytes of the standard error, as `tidings_crash_text`
///     events       blocks: state, checksum, sequence, length, flags, bytes
///     header copy  magic, key, checksum of both
enum RunLayout {
    static let magic: UInt64 = 0x3230_4E55_5244_4954  // TIDRUN02
    /// The magic of the earlier format, which had shorter breadcrumbs.
    static let earlierMagic: UInt64 = 0x3130_4E55_5244_4954  // TIDRUN01

    // Header fields.
    static let key = 8
    static let headChecksum = 16
    static let endMark = 24
    static let lostEvents = 32

    /// The size of a slot for the maximum number of keys with the longest names and strings.
    static let scopeSlot = 80 << 10
    static let scopeHead = 24
    static let scopes = 4_096

    /// The number of slots.
    ///
    /// One slot more than the kept breadcrumbs ensures that writing never overwrites a kept
    /// breadcrumb.
    static let breadcrumbSlots = breadcrumbLimit + 1
    static let breadcrumbLimit = 100
    static let breadcrumbSlot = 2_048
    static let breadcrumbHead = 32
    static let textLimit = 1_024
    static let locationLimit = 256
    static let categoryLimit = 64
    static let dataLimit =
        breadcrumbSlot - breadcrumbHead - textLimit - locationLimit - categoryLimit
    static let breadcrumbs = scopes + 2 * scopeSlot

    static let text = wholePages(breadcrumbs + breadcrumbSlots * breadcrumbSlot)
    static let textSize = 16 << 10

    static let block = 64
    static let eventBlocks = (1 << 20) / block
    static let eventHead = 32
    /// The size of the largest event, which exceeds the sum of all text limits.
    static let eventLimit = 256 << 10
    static let pending: UInt64 = 0x474E_4944_4E45_5054  // TPENDING
    static let events = wholePages(text + 4 + textSize)

    static let secondHead = events + eventBlocks * block
    static let size = secondHead + 4_096

    static let earlierBreadcrumbSlot = 1_536
    /// The shift of the parts behind the breadcrumbs, which were nearer to the start in the earlier
    /// format.
    static let earlierShift =
        text - wholePages(breadcrumbs + breadcrumbSlots * earlierBreadcrumbSlot)

    private static func wholePages(_ count: Int) -> Int { (count + 4_095) / 4_096 * 4_096 }

    static func scope(_ sequence: UInt64) -> Int {
        scopes + (sequence % 2 == 0 ? 0 : scopeSlot)
    }

    static func breadcrumb(_ sequence: UInt64) -> Int {
        breadcrumbs + Int(sequence % UInt64(breadcrumbSlots)) * breadcrumbSlot
    }

    /// The number of blocks for an event of `count` bytes.
    static func blocks(_ count: Int) -> Int { (eventHead + count + block - 1) / block }
}
