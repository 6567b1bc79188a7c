// SPDX-License-Identifier: Apache-2.0

/// Where a forwarding was made; those who watch a center see it as the place of its posts.
struct ForwardingSite: Sendable {
    let fileID: StaticString
    let line: UInt
}
