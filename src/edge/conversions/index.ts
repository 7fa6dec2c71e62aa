/** Every conversion under the name by which the projection tables bind it to places and revisions. */
import { answerAsOneBlock } from './answer-as-one-block.js';
import { audioAsText } from './audio-as-text.js';
import { choicesAsText } from './choices-as-text.js';
import type { Conversion } from './conversion.js';
import { discoverAsInitialize } from './discover-as-initialize.js';
import { elicitationId } from './elicitation-id.js';
import { inputSchemaBooleans } from './input-schema-booleans.js';
import { outputSchemaAsObject } from './output-schema-as-object.js';
import { refuseMultiSelect } from './refuse-multi-select.js';
import { refuseSamplingAudio } from './refuse-sampling-audio.js';
import { refuseSamplingTools } from './refuse-sampling-tools.js';
import { refuseUrlElicitation } from './refuse-url-elicitation.js';
import { resourceLinkAsEmbedded } from './resource-link-as-embedded.js';
import { samplingBlocksSplit } from './sampling-blocks-split.js';
import { structuredContentAsObject } from './structured-content-as-object.js';
import { structuredContentAsText } from './structured-content-as-text.js';
import { titledEnumAsNames } from './titled-enum-as-names.js';
import { toolTitleToAnnotations } from './tool-title-to-annotations.js';

export const CONVERSIONS: Readonly<Record<string, Conversion>> = {
  answerAsOneBlock,
  audioAsText,
  choicesAsText,
  discoverAsInitialize,
  elicitationId,
  inputSchemaBooleans,
  outputSchemaAsObject,
  refuseMultiSelect,
  refuseSamplingAudio,
  refuseSamplingTools,
  refuseUrlElicitation,
  resourceLinkAsEmbedded,
  samplingBlocksSplit,
  structuredContentAsObject,
  structuredContentAsText,
  titledEnumAsNames,
  toolTitleToAnnotations,
};
