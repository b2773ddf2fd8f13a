#pragma once

#include <boost/json.hpp>

#include "objects/objects.h"

// The parts of a document that several kinds share.

namespace fairlead::objects {

boost::json::object MetaToJson(const Meta& meta);
boost::json::object LabelsToJson(const Labels& labels);
boost::json::object ResourcesToJson(const ResourceList& list);
boost::json::object SelectorToJson(const LabelSelector& selector);
boost::json::array RequirementsToJson(const std::vector<Requirement>& requirements);
boost::json::object NodeTermToJson(const NodeSelectorTerm& term);
boost::json::object NodeSelectorToJson(const std::vector<NodeSelectorTerm>& terms);
boost::json::object VolumeAskToJson(const VolumeAsk& ask);  // a claim's spec
boost::json::array AccessModesToJson(AccessModes modes);
boost::json::object ConditionToJson(std::string_view type, bool holds);
boost::json::object ConditionToJson(std::string_view type, Time since);
boost::json::object ConditionToJson(const Condition& condition);
boost::json::object ReservationToJson(const Reservation& reservation);
boost::json::array LandingsToJson(const Landings& landings);
boost::json::array ConditionsToJson(const std::vector<Condition>& conditions);
std::string_view ToString(TaintEffect effect);

boost::json::array TaintsToJson(const std::vector<Taint>& taints);
boost::json::array TolerationsToJson(const std::vector<Toleration>& tolerations);
// A whole number, or a string: a JSON number such as 0.1 is not exact everywhere.
boost::json::value ThousandthsToJson(std::int64_t milli);

boost::json::object TopologyConstraintToJson(const TopologyConstraint& constraint);

boost::json::object PodSpecToJson(const PodSpec& spec);
boost::json::object PodStatusToJson(const Pod& pod);
boost::json::object TemplateToJson(const PodTemplate& pod_template);

}  // namespace fairlead::objects
