// SPDX-License-Identifier: Apache-2.0

/// A registration whose observer is a hook of a center.
///
/// Unchecked because its superclass is; it adds no property.
final class HookRegistration<Input: Sendable>: ClosureRegistration<Input>, @unchecked Sendable {
    override var place: HandlerPlace { .watcher }
}
