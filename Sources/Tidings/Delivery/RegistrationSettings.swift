// SPDX-License-Identifier: Apache-2.0

/// What an observation is made with, apart from its handler.
struct RegistrationSettings: Sendable {
    var home: RegistrationHome
    var priority = ObservationPriority.normal
    var flags: RegistrationFlags = []
    var source: SourceLocation
    var extras: RegistrationExtras?
}
